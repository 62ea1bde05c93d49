//! What goes out as one request, and in which order: replies, then resolves, then top-level
//! comments, then one review with all comments on code.
//! Must not take anything that is not approved and ready.

use crate::domain::text::outside::Outside;
use crate::outbox::{
    action::{Action, Payload, Verdict},
    body,
    kind::Kind,
    marker::Key,
    order::{Call, Order},
    outcome::Receipt,
    state::{Standing, State},
};

/// The next request among `ready` (indices into `all`): the actions it carries, in their order.
pub fn next(all: &[Standing], ready: &[usize]) -> Vec<usize> {
    let rank = |at: &usize| rank(&all[*at].action);
    let Some(first) = ready.iter().copied().min_by_key(|it| (rank(it), *it)) else {
        return Vec::new();
    };
    if rank(&first) != BUNDLE {
        return vec![first];
    }
    let verdict = |it: &usize| all[*it].action.payload.kind() == Kind::SubmitReview;
    let bundle = |it: &usize| rank(it) == BUNDLE;
    let mut unit: Vec<usize> = ready.iter().copied().find(verdict).into_iter().collect();
    unit.extend(ready.iter().copied().filter(|it| bundle(it) && !verdict(it)));
    // A review that closes the person's own open one goes when its comments are in.
    unit
}

const BUNDLE: u8 = 5;

fn rank(action: &Action) -> u8 {
    match &action.payload {
        Payload::DeletePendingReview { .. } | Payload::DismissOwnReview { .. } => 0,
        Payload::ThreadReply { .. } => 1,
        Payload::ResolveThread { .. } | Payload::UnresolveThread { .. } => 2,
        Payload::IssueComment { .. } => 3,
        // On a file as a whole, or into an open review: one request each.
        Payload::InlineComment { spot, joins, .. } if spot.lines.is_none() || joins.is_some() => 4,
        Payload::SubmitReview { joins: Some(_), .. } => 6,
        Payload::InlineComment { .. } | Payload::SubmitReview { .. } => BUNDLE,
        Payload::DeleteOwnComment { .. } => 7,
    }
}

/// The order for a unit whose actions stand in `sending`. `None` when one of them is not, or when
/// what it needs is not known: then nothing may leave.
pub fn order(all: &[Standing], unit: &[usize], key: &Key) -> Option<Order> {
    let first = &all.get(*unit.first()?)?.action;
    let sending = |it: &&Standing| it.state == State::Sending && it.is_approved();
    let items: Vec<&Standing> = unit.iter().map(|it| &all[*it]).filter(sending).collect();
    if items.len() != unit.len() || items.iter().any(|it| it.action.target != first.target) {
        return None;
    }
    let call = match rank(first) {
        BUNDLE => review(&items, key),
        _ => single(all, first, key)?,
    };
    let actions = items.iter().map(|it| (it.action.id.clone(), it.attempt)).collect();
    Some(Order::new(first.target.clone(), actions, call))
}

fn words(action: &Action, key: &Key) -> Outside {
    body::post(action, key).unwrap_or_default()
}

fn single(all: &[Standing], action: &Action, key: &Key) -> Option<Call> {
    Some(match &action.payload {
        Payload::ThreadReply { thread, root, joins, .. } => Call::Reply {
            thread: thread.clone(),
            root: root.clone(),
            body: words(action, key),
            joins: joins.clone(),
        },
        Payload::ResolveThread { thread } => Call::Resolve { thread: thread.clone() },
        Payload::UnresolveThread { thread } => Call::Unresolve { thread: thread.clone() },
        Payload::IssueComment { .. } => Call::Remark { body: words(action, key) },
        Payload::InlineComment { spot, joins, .. } => match joins {
            Some(review) => {
                Call::Draft { review: review.clone(), spot: spot.clone(), body: words(action, key) }
            }
            None => Call::OnFile {
                commit: action.premises.head.clone(),
                path: spot.path.clone(),
                body: words(action, key),
            },
        },
        Payload::SubmitReview { event, joins, .. } => {
            Call::Submit { review: joins.clone()?, event: *event, body: words(action, key) }
        }
        Payload::DeletePendingReview { review } => Call::DeleteReview { review: review.clone() },
        Payload::DeleteOwnComment { comment, inline } => {
            Call::DeleteComment { comment: comment.clone(), inline: *inline }
        }
        Payload::DismissOwnReview { message } => {
            Call::Dismiss { review: receipt(all, action)?.id.clone()?, message: message.clone() }
        }
    })
}

/// What the action before this one gave.
fn receipt<'a>(all: &'a [Standing], action: &Action) -> Option<&'a Receipt> {
    let before = all.iter().find(|it| Some(&it.action.id) == action.after.as_ref())?;
    match &before.state {
        State::Posted { receipt } => Some(receipt),
        _ => None,
    }
}

/// One review for all comments on lines. Without a review of its own it is a plain comment.
fn review(items: &[&Standing], key: &Key) -> Call {
    let given = items.iter().find_map(|it| match &it.action.payload {
        Payload::SubmitReview { event, .. } => Some((*event, words(&it.action, key))),
        _ => None,
    });
    let (event, body) = given.unwrap_or((Verdict::Comment, Outside::default()));
    let comments = items.iter().filter_map(|it| {
        let spot = it.action.payload.spot()?;
        Some((spot.clone(), words(&it.action, key)))
    });
    Call::Review {
        commit: items.iter().find_map(|it| it.action.premises.head.clone()),
        event,
        body,
        comments: comments.collect(),
    }
}

use crate::app::{
    event::{Dossier, Effect, Event, Found},
    fixture::{self, press},
    home::Tab,
    key::{Mouse, MouseKind},
    listed::{List, ListNews, Listed, Lists, Mark, Trouble},
    model::{Model, Screen, Size, Start},
    prompt::Prompt,
    update::{home::fault, update},
};

fn listed(number: u64, mark: Mark) -> Listed {
    Listed {
        target: format!("https://github.com/acme/store/pull/{number}"),
        label: format!("acme/store#{number}"),
        title: format!("Change {number}").into(),
        author: Some("bob".into()),
        state: "open".into(),
        updated_at: Some("2026-03-03T12:00:00Z".into()),
        mark,
        ..Listed::default()
    }
}

fn lists() -> Box<Lists> {
    let requested = vec![listed(1, Mark::New), listed(2, Mark::Known)];
    Box::new(Lists {
        host: "github.com".into(),
        login: Some("alice".into()),
        read_at: Some("2026-03-03T23:48:00Z".into()),
        requested: List { rows: requested, total: 7 },
        mine: List { rows: vec![listed(3, Mark::Updated)], total: 1 },
    })
}

/// Home with one dossier, before the forge has said anything.
fn home() -> (Model, u64) {
    let start =
        Start { size: Size { width: 120, height: 40 }, now: fixture::NOW, ..Start::default() };
    let (mut model, effects) = Model::start(start);
    let Some(Effect::LoadLists { request }) = effects.last() else { panic!("lists are asked for") };
    let entries = vec![Dossier {
        target: "kept/file".into(),
        label: "acme/store#2".into(),
        page: Some("https://github.com/acme/store/pull/2".into()),
        ..Dossier::default()
    }];
    update(&mut model, Event::Dossiers { request: 1, entries });
    (model, *request)
}

fn hear(model: &mut Model, request: u64, news: ListNews) -> Vec<Effect> {
    update(model, Event::Lists { request, news })
}

fn tick(model: &mut Model, seconds: i64) -> Vec<Effect> {
    let now = model.now + seconds;
    update(model, Event::Tick { now })
}

#[test]
fn what_waits_for_review_comes_up_until_a_person_chooses() {
    let (mut model, request) = home();
    assert_eq!(model.home.tab, Tab::Recent);
    hear(&mut model, request, ListNews::Kept(lists()));
    assert_eq!(model.home.tab, Tab::Requested);
    press(&mut model, "4");
    hear(&mut model, request, ListNews::Read(lists()));
    assert_eq!(model.home.tab, Tab::Recent, "nothing turns under a person's hands");
}

#[test]
fn keys_and_mouse_go_from_list_to_list() {
    let (mut model, request) = home();
    hear(&mut model, request, ListNews::Read(lists()));
    for (key, tab) in [
        ("1", Tab::Approval),
        ("2", Tab::Requested),
        ("3", Tab::Mine),
        ("4", Tab::Recent),
        ("Tab", Tab::Approval),
        ("Shift-Tab", Tab::Recent),
    ] {
        press(&mut model, key);
        assert_eq!(model.home.tab, tab, "{key}");
    }
    let mut from = 2;
    for (tab, text) in model.home.bar(118) {
        let kind = MouseKind::Click;
        update(&mut model, Event::Mouse(Mouse { kind, column: from + 1, row: 1 }));
        assert_eq!(model.home.tab, tab, "{text}");
        from += text.len() as u16;
    }
    press(&mut model, "2");
    let click = Event::Mouse(Mouse { kind: MouseKind::Click, column: 9, row: 4 });
    update(&mut model, click.clone());
    assert_eq!(model.home.shelf().cursor, 1, "the second row, below the line about the lists");
    assert!(matches!(update(&mut model, click).as_slice(), [Effect::Open { .. }, ..]));
}

#[test]
fn opening_reads_the_forge_and_is_remembered() {
    let (mut model, request) = home();
    hear(&mut model, request, ListNews::Read(lists()));
    assert_eq!(model.home.marked(Tab::Requested), 1);
    let effects = press(&mut model, "2 Enter");
    let page = "https://github.com/acme/store/pull/1".to_owned();
    let updated_at = "2026-03-03T12:00:00Z".to_owned();
    let [Effect::Open { target, .. }, seen] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((target, seen), (&page, &Effect::SaveSeen { page: page.clone(), updated_at }));
    assert_eq!(model.home.marked(Tab::Requested), 0);
}

#[test]
fn a_dossier_opens_live_only_where_we_are_known() {
    let (mut model, request) = home();
    let target = |effects: Vec<Effect>| match effects.into_iter().next() {
        Some(Effect::Open { target, .. }) => target,
        other => panic!("{other:?}"),
    };
    assert_eq!(target(press(&mut model, "4 Enter")), "kept/file");
    hear(&mut model, request, ListNews::Read(lists()));
    assert_eq!(target(press(&mut model, "Enter")), "https://github.com/acme/store/pull/2");
}

#[test]
fn a_row_says_what_is_known_of_it_here() {
    let (mut model, request) = home();
    hear(&mut model, request, ListNews::Read(lists()));
    let row = |tab, at| model.home.row(tab, at);
    assert!(row(Tab::Requested, 0).dossier.is_none());
    assert_eq!(row(Tab::Requested, 1).dossier.map(|it| it.target.as_str()), Some("kept/file"));
    assert_eq!(row(Tab::Recent, 0).listed.map(|it| it.label.as_str()), Some("acme/store#2"));
    let counts = Tab::ALL.map(|it| model.home.count(it));
    assert_eq!(counts, [0, 7, 1, 1], "the forge finds more than it lists");
}

#[test]
fn lists_are_asked_for_again_while_home_shows() {
    let (mut model, request) = home();
    assert!(tick(&mut model, 400).is_empty(), "a request is under way");
    hear(&mut model, request, ListNews::Read(lists()));
    model.home.live.asked_at = Some(model.now);
    assert!(tick(&mut model, 299).is_empty());
    assert!(matches!(tick(&mut model, 1).as_slice(), [Effect::LoadLists { .. }]));
    let old = ListNews::Failed(Trouble::default());
    hear(&mut model, request, old);
    assert!(model.home.live.trouble.is_none(), "an answer to an older request is dropped");
    let request = model.home.live.waits_for.expect("asked");
    hear(&mut model, request, ListNews::Read(lists()));
    model.screen = Screen::Diff;
    assert!(tick(&mut model, 999).is_empty(), "nobody looks at them");
    model.screen = Screen::Home;
    let effects = press(&mut model, "R");
    assert!(matches!(effects.as_slice(), [Effect::LoadDossiers { .. }, Effect::LoadLists { .. }]));
}

#[test]
fn a_limit_is_kept_and_ends_by_itself() {
    let (mut model, request) = home();
    let trouble =
        Trouble { says: "GitHub's limit is reached".into(), pause: Some(90), ..Trouble::default() };
    hear(&mut model, request, ListNews::Failed(trouble));
    assert_eq!(model.pace(), Some(1), "a countdown runs");
    assert!(matches!(press(&mut model, "R").as_slice(), [Effect::LoadDossiers { .. }]));
    assert!(tick(&mut model, 89).is_empty());
    assert!(matches!(tick(&mut model, 1).as_slice(), [Effect::LoadLists { .. }]));
}

#[test]
fn who_is_not_signed_in_is_asked_once() {
    let (mut model, request) = home();
    let trouble =
        Trouble { says: "nobody is signed in".into(), lasting: true, ..Trouble::default() };
    hear(&mut model, request, ListNews::Failed(trouble));
    assert!(tick(&mut model, 9_999).is_empty());
    assert!(matches!(press(&mut model, "R").as_slice(), [_, Effect::LoadLists { .. }]));
}

#[test]
fn set_up_shows_what_is_found_to_who_waits_for_it() {
    let (mut model, _) = home();
    let effects = press(&mut model, "s");
    let [Effect::LookAround { request }] = effects.as_slice() else { panic!("{effects:?}") };
    let found = |says: &str| vec![Found { says: says.to_owned(), ..Found::default() }];
    update(&mut model, Event::Around { request: request - 1, found: found("old") });
    update(&mut model, Event::Around { request: *request, found: found("new") });
    assert!(
        matches!(&model.prompt, Some(Prompt::Setup { found: Some(it), .. }) if it[0].says == "new")
    );
    press(&mut model, "Esc");
    update(&mut model, Event::Around { request: *request, found: found("late") });
    assert!(model.prompt.is_none());
}

#[test]
fn what_is_added_is_looked_at_first() {
    let check = |text: &str, right: bool| assert_eq!(fault(text).is_none(), right, "{text}");
    check("owner/repo#12", true);
    check("https://github.com/o/r/pull/7/files", true);
    check("https://git.example.org/o/r/pull/7#discussion", true);
    check("pr.json", true);
    check("main..HEAD", true);
    check("./odd/name#x", true);
    check("owner/repo#", false);
    check("owner/repo#x", false);
    check("owner/repo#0", false);
    check("#12", false);
    check("https://github.com/o/r/issues/7", false);
    check("https://github.com/o/r", false);
    check("https://github.com/o/r/pull/seven", false);
    check("https://", false);
    let (mut model, _) = home();
    assert!(press(&mut model, "a o / r # x Enter").is_empty());
    let Some(Prompt::Add { input, fault: Some(_) }) = &model.prompt else { panic!("still open") };
    assert_eq!(input.text, "o/r#x");
    let effects = press(&mut model, "Backspace 7 Enter");
    assert!(matches!(effects.as_slice(), [Effect::Open { target, .. }] if target == "o/r#7"));
}

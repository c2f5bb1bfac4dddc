//! Detection of sources and answers that two students share.
//!
//! Enters: sources of one exercise, or answers to one question. Leaves: which of them are alike. That is a hint to look, never
//! a verdict: who wrote what, and whether together, no program can say.
//!
//! Of a source its statements are compared. A statement is its tokens, without spaces and comments, in which every name that
//! its author could choose is a number, by the order in which the statement has them; so it does not matter how a source is
//! laid out, in what order its statements are, and what names they use. Two sources have a statement in common only if
//! one renaming of all names makes it the same in both. Comments are compared by their letters.
//!
//! Most exercises have one short solution, which everybody finds, so only parts that a student need not have written count.
//! Statements, as numbered, and lines do not count if the workbook has them anywhere: in a skeleton, a solution, an attempt, a
//! hint or a lab's kernel. Nor do those of more than a few students, who found them in one lecture or by themselves. What is
//! left must be long enough: two who solve a short exercise alike cannot be distinguished from two who share it, so neither is
//! flagged.

use crate::rules::Exercises;
use cuda::written::{self, Class, Written};
use exercise::Task;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Tokens of a source that are looked at; a solution has a few hundred.
pub(crate) const MOST_TOKENS: usize = 20_000;
/// Statements of fewer tokens say nothing.
const LEAST_OF_STATEMENT: usize = 3;
/// Share of the words of a line, and of one of the workbook's, that both have, above which the line is the workbook's with
/// words replaced.
const MOST_GIVEN: f64 = 0.6;
/// Lines of the workbook that a word may be in before it is too common to find one by.
const MOST_WITH_WORD: usize = 300;
/// Words that follow each other: two texts do not share these by chance.
const WORDS_IN_A_ROW: usize = 4;
/// Places at which a source has one statement that are looked at.
const MOST_PLACES: usize = 8;

/// Conditions for calling two works alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Tokens in statements of each author's own.
    pub(crate) tokens: usize,
    /// Letters in comments, or in words, of each author's own.
    pub(crate) letters: usize,
    /// Share of these that both have.
    pub(crate) share: f64,
    /// Authors who may have the same without its being everyone's.
    pub(crate) common: usize,
    /// Weight of the statements that two students' whole works have in common.
    pub(crate) rarity: u32,
    /// Share of the weight of all their statements.
    pub(crate) work_share: f64,
}

impl Bounds {
    pub(crate) fn new(rules: &Exercises) -> Bounds {
        Bounds {
            tokens: rules.least_own_tokens,
            letters: rules.least_own_letters,
            share: rules.alike,
            common: rules.common,
            rarity: rules.least_rarity,
            work_share: rules.alike_work,
        }
    }
}

/// A statement without names: its tokens, and numbers for names.
pub(crate) type Form = String;
/// The names that the numbers of a form are for.
type Names = Vec<Rc<str>>;

/// Text of the workbook itself, which is not a student's own.
#[derive(Debug, Default)]
pub(crate) struct Given {
    forms: BTreeSet<Form>,
    lines: BTreeSet<String>,
    /// The words of each line, and the lines that have each word.
    worded: Vec<BTreeSet<String>>,
    with_word: BTreeMap<String, Vec<usize>>,
}

impl Given {
    /// Everything in the exercises, and in the kernels of the labs.
    pub(crate) fn new(tasks: &[Task]) -> Given {
        let mut given = Given::default();
        for Task { exercise, variants, reference, .. } in tasks {
            let others = variants.names().into_iter().filter_map(|name| variants.named(name));
            others.chain([variants.solution()]).for_each(|text| given.add(&text));
            given.add(reference);
            exercise.hints.iter().flat_map(|hints| &hints.tiers).for_each(|hint| given.add(hint));
        }
        kernels::all().iter().for_each(|kernel| given.add(kernel.cu));
        given
    }

    fn add(&mut self, text: &str) {
        let tokens = written::tokens(text, MOST_TOKENS);
        self.forms.extend(statements(&tokens).map(|statement| form(statement).0));
        // Lines of code too: students put those that they replace into comments.
        let names = names(&tokens);
        for line in text.lines().chain(comments(&tokens, text)) {
            if self.lines.insert(bare(line)) {
                let words: BTreeSet<String> = words(line).collect();
                for word in &words {
                    self.with_word.entry(word.clone()).or_default().push(self.worded.len());
                }
                self.worded.push(words);
            }
            self.lines.insert(nameless(line, &names));
        }
    }

    /// Whether a line is one of the workbook's, perhaps with a word replaced here and there: students who rename a thing
    /// rename it in the task's own comment too.
    fn has_line_like(&self, line: &str) -> bool {
        let here: BTreeSet<String> = words(line).collect();
        let places = here.iter().filter_map(|word| self.with_word.get(word));
        let found: BTreeSet<usize> =
            places.filter(|lines| lines.len() <= MOST_WITH_WORD).flatten().copied().collect();
        let mut there = found.into_iter().filter_map(|at| self.worded.get(at));
        there.any(|there| {
            here.intersection(there).count() as f64 >= MOST_GIVEN * here.len().max(there.len()) as f64
        })
    }
}

/// The parts of a work that are its author's own.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnParts {
    /// Statements with their tokens, and the names that each place has.
    forms: BTreeMap<Form, (usize, Vec<Names>)>,
    /// Letters of comments, or of words, line by line.
    lines: BTreeSet<String>,
}

impl OwnParts {
    /// The parts of a source that are its author's own.
    pub(crate) fn of_source(given: &Given, source: &str) -> OwnParts {
        let tokens = written::tokens(source, MOST_TOKENS);
        let mut own = OwnParts::default();
        for statement in statements(&tokens) {
            let (form, names) = form(statement);
            if !given.forms.contains(&form) {
                let (_, places) = own.forms.entry(form).or_insert((statement.len(), vec![]));
                if places.len() < MOST_PLACES {
                    places.push(names);
                }
            }
        }
        let names = names(&tokens);
        for line in comments(&tokens, source) {
            // Renaming a variable everywhere changes the skeleton's comments too, and they stay the skeleton's.
            let nameless = nameless(line, &names);
            let is_given = given.lines.contains(&bare(line)) || given.lines.contains(&nameless);
            if !is_given && !given.has_line_like(line) {
                own.lines.insert(nameless);
            }
        }
        own
    }

    /// The lines of an answer in words.
    pub(crate) fn of_words(text: &str) -> OwnParts {
        let lines = text.lines().map(bare).filter(|line| !line.is_empty()).collect();
        OwnParts { lines, ..OwnParts::default() }
    }

    /// Whether at least the given share of both is the same, and both have enough of their own.
    fn is_like(&self, other: &OwnParts, bounds: Bounds) -> bool {
        let enough = |here: usize, there: usize, least: usize| {
            // The smaller one is the most that they can have in common.
            here.min(there) >= least && here.min(there) as f64 >= bounds.share * here.max(there) as f64
        };
        let share =
            |both: usize, here: usize, there: usize| both as f64 >= bounds.share * here.max(there) as f64;
        let (here, there) = (self.tokens(), other.tokens());
        if enough(here, there, bounds.tokens) && share(self.tokens_in(other), here, there) {
            return true;
        }
        let letters = |lines: &BTreeSet<String>| lines.iter().map(|line| line.chars().count()).sum::<usize>();
        let (here, there) = (letters(&self.lines), letters(&other.lines));
        enough(here, there, bounds.letters.max(1))
            && share(letters(&self.lines.intersection(&other.lines).cloned().collect()), here, there)
    }

    /// Whether it has a statement of its author's own.
    pub(crate) fn has_own(&self) -> bool {
        !self.forms.is_empty()
    }

    /// Its statements.
    pub(crate) fn forms(&self) -> impl Iterator<Item = &str> {
        self.forms.keys().map(String::as_str)
    }

    pub(crate) fn has(&self, form: &str) -> bool {
        self.forms.contains_key(form)
    }

    /// Letters of its comments' lines.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(String::as_str)
    }

    pub(crate) fn has_line(&self, line: &str) -> bool {
        self.lines.contains(line)
    }

    /// Tokens of its statements.
    pub(crate) fn tokens(&self) -> usize {
        self.forms.values().map(|(tokens, _)| tokens).sum()
    }

    /// Tokens of the statements that are also another's, once its names are called as here.
    fn tokens_in(&self, other: &OwnParts) -> usize {
        self.shared(other).map(|(_, tokens)| tokens).sum()
    }

    /// The statements that are also another's, once its names are called as here, with their tokens.
    pub(crate) fn shared(&self, other: &OwnParts) -> impl Iterator<Item = (&Form, usize)> {
        let both = || {
            self.forms
                .iter()
                .filter_map(|(form, (tokens, here))| Some((form, tokens, here, &other.forms.get(form)?.1)))
        };
        let mut votes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (_, tokens, here, there) in both() {
            for (a, b) in here.iter().flat_map(|a| there.iter().map(move |b| (a, b))) {
                for (a, b) in a.iter().zip(b) {
                    *votes.entry((a, b)).or_default() += tokens;
                }
            }
        }
        let mut votes: Vec<_> = votes.into_iter().collect();
        votes.sort_by_key(|(_, votes)| std::cmp::Reverse(*votes));
        let (mut renamed, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for ((a, b), _) in votes {
            if !renamed.contains_key(a) && taken.insert(b) {
                renamed.insert(a, b);
            }
        }
        let fits = |a: &Names, b: &Names| {
            a.iter().zip(b).all(|(a, b)| renamed.get(a.as_ref()).is_some_and(|name| *name == b.as_ref()))
        };
        let is_same = |here: &[Names], there: &[Names]| here.iter().any(|a| there.iter().any(|b| fits(a, b)));
        let same: Vec<_> = both()
            .filter(|(_, _, here, there)| is_same(here, there))
            .map(|(form, tokens, ..)| (form, *tokens))
            .collect();
        same.into_iter()
    }
}

/// A source's statements: what semicolons and braces end, the heads of loops and conditions, and directives.
fn statements(tokens: &[Written]) -> impl Iterator<Item = &[Written]> {
    let mut ends = vec![];
    let (mut start, mut depth, mut is_directive) = (0, 0_usize, false);
    let is_head = |at: usize| {
        let first = tokens.get(at).map_or("", |token| token.text.as_ref());
        matches!(first, "if" | "for" | "while" | "switch")
    };
    for (at, token) in tokens.iter().enumerate() {
        let text = token.text.as_ref();
        if token.begins_line && (is_directive || text == "#") {
            ends.push(start..at);
            (start, depth, is_directive) = (at, 0, text == "#");
        }
        match text {
            "{" | "}" => {
                ends.push(start..at);
                (start, depth) = (at + 1, 0);
            }
            ";" | "else" | "do" if depth == 0 => {
                ends.push(start..at);
                start = at + 1;
            }
            "(" => depth += 1,
            ")" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && is_head(start) {
                    ends.push(start..at + 1);
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    ends.push(start..tokens.len());
    let is_include =
        |part: &[Written]| matches!(part, [a, b, ..] if &*a.text == "#" && &*b.text == "include");
    let parts = ends.into_iter().filter_map(|range| tokens.get(range));
    parts.filter(move |part| part.len() >= LEAST_OF_STATEMENT && !is_include(part))
}

/// A statement's form, and the names in it.
pub(crate) fn form(statement: &[Written]) -> (Form, Names) {
    let mut names: Names = vec![];
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut form = String::new();
    for (at, token) in statement.iter().enumerate() {
        let is_member = at > 0 && matches!(statement[at - 1].text.as_ref(), "." | "->");
        let is_component = is_member && matches!(token.text.as_ref(), "x" | "y" | "z" | "w");
        if token.class == Class::Name && !is_component {
            let number = *numbers.entry(&token.text).or_insert_with(|| {
                names.push(token.text.clone());
                names.len() - 1
            });
            form += &format!("@{number} ");
        } else {
            form += &token.text;
            form.push(' ');
        }
    }
    (form, names)
}

/// A statement of a source, as its author wrote it except for spaces.
pub(crate) fn spelled(form: &Form, own: &OwnParts) -> String {
    let names = own.forms.get(form).and_then(|(_, places)| places.first());
    let word = |word: &str| {
        let number = word.strip_prefix('@').and_then(|number| number.parse::<usize>().ok());
        number.and_then(|at| names?.get(at)).map_or_else(|| word.to_owned(), |name| name.to_string())
    };
    form.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

/// The lines of a source's comments: what is between its tokens.
fn comments<'a>(tokens: &'a [Written], source: &'a str) -> impl Iterator<Item = &'a str> {
    let ends = [0].into_iter().chain(tokens.iter().map(|token| token.at.end));
    // A source of more tokens ends with the last of those that are looked at.
    let end = if tokens.len() < MOST_TOKENS { source.len() } else { 0 };
    let starts = tokens.iter().map(|token| token.at.start).chain([end]);
    ends.zip(starts).filter_map(|(end, start)| source.get(end..start)).flat_map(str::lines)
}

/// The names that a source gives.
fn names(tokens: &[Written]) -> BTreeSet<&str> {
    tokens.iter().filter(|token| token.class == Class::Name).map(|token| token.text.as_ref()).collect()
}

/// Letters and digits of a line, without the words that are names.
fn nameless(line: &str, names: &BTreeSet<&str>) -> String {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    bare(&words.filter(|word| !names.contains(word)).collect::<String>())
}

/// Words of a text, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Whether an answer in words repeats a text: the given share of its sequences of words is in it too. A text of
/// a few words is repeated by chance.
pub(crate) fn repeats(answer: &str, text: &str, share: f64) -> bool {
    let rows = |text: &str| -> BTreeSet<Vec<String>> {
        words(text).collect::<Vec<_>>().windows(WORDS_IN_A_ROW).map(<[String]>::to_vec).collect()
    };
    let (here, there) = (rows(answer), rows(text));
    there.len() >= WORDS_IN_A_ROW && here.intersection(&there).count() as f64 >= share * there.len() as f64
}

/// Letters and digits of a line.
fn bare(line: &str) -> String {
    line.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// For each of these, each with its owner, the owners of those that are like it.
pub(crate) fn all(mut own: Vec<(usize, OwnParts)>, bounds: Bounds) -> Vec<Vec<usize>> {
    leave_out_common(&mut own, bounds.common);
    let mut alike = vec![vec![]; own.len()];
    for (at, (owner, one)) in own.iter().enumerate() {
        for (other_at, (other_owner, other)) in own[..at].iter().enumerate() {
            if owner != other_owner && one.is_like(other, bounds) {
                alike[at].push(*other_owner);
                alike[other_at].push(*owner);
            }
        }
    }
    alike.iter_mut().for_each(|owners| owners.sort_unstable());
    alike
}

/// Leaves out items that more than `most` have.
fn leave_out_common(own: &mut [(usize, OwnParts)], most: usize) {
    let (mut forms, mut lines) = (BTreeMap::<Form, usize>::new(), BTreeMap::<String, usize>::new());
    for (_, one) in own.iter() {
        one.forms.keys().for_each(|form| *forms.entry(form.clone()).or_default() += 1);
        one.lines.iter().for_each(|line| *lines.entry(line.clone()).or_default() += 1);
    }
    let is_rare = |count: Option<&usize>| count.is_none_or(|count| *count <= most);
    for (_, one) in own {
        one.forms.retain(|form, _| is_rare(forms.get(form)));
        one.lines.retain(|line| is_rare(lines.get(line)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::laid;
    use std::sync::LazyLock;

    static TASKS: LazyLock<Vec<Task>> = LazyLock::new(|| exercise::all().unwrap());
    static GIVEN: LazyLock<Given> = LazyLock::new(|| Given::new(&TASKS));

    fn bounds() -> Bounds {
        Bounds::new(&laid("").unwrap().exercises)
    }

    fn own(source: &str) -> OwnParts {
        OwnParts::of_source(&GIVEN, source)
    }

    fn are_alike(one: &str, other: &str) -> bool {
        all(vec![(0, own(one)), (1, own(other))], bounds()) == [[1], [0]]
    }

    /// A student's own way to serve two bodies with each load.
    const ADA: &str = "
#define TILE 64
__global__ void accelerate(const float4 *bodies, float3 *acceleration, int n)
{
    __shared__ float4 cache[TILE];
    const int lane = threadIdx.x;
    const int base = blockIdx.x * (2 * TILE);
    float4 mine[2];
    float3 total[2];
    for (int p = 0; p < 2; ++p) {          // both of my bodies
        int index = base + p * TILE + lane;
        if (index >= n) index = n - 1;
        mine[p] = bodies[index];
        total[p].x = total[p].y = total[p].z = 0.f;
    }
    int tiles = (n + TILE - 1) / TILE;
    for (int t = 0; t < tiles; ++t) {
        float4 empty = {0.f, 0.f, 0.f, 0.f};
        cache[lane] = t * TILE + lane < n ? bodies[t * TILE + lane] : empty;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            const float4 star = cache[k];
            for (int p = 0; p < 2; ++p) interact(total[p], mine[p], star);
        }
        __syncthreads();
    }
    for (int p = 0; p < 2; ++p) {
        int index = base + p * TILE + lane;
        if (index < n) acceleration[index] = total[p];
    }
}
";

    /// The same with other names, comments and spaces, and with statements in another order.
    const COPY: &str = "
#define WIDTH 64
/* Everything by myself */
__global__ void accelerate(const float4* in, float3* out, int count) {
    const int first = blockIdx.x*(2*WIDTH);  const int me = threadIdx.x;
    float3 sum[2];  float4 own[2];
    __shared__ float4 stage[WIDTH];
    int steps = (count+WIDTH-1)/WIDTH;
    for (int q=0; q<2; ++q)
    {
        int at = first+q*WIDTH+me;
        if (at >= count) { at = count-1; }
        sum[q].x = sum[q].y = sum[q].z = 0.f;
        own[q] = in[at];
    }
    for (int s=0; s<steps; ++s)
    {
        float4 none = {0.f,0.f,0.f,0.f};
        stage[me] = s*WIDTH+me < count ? in[s*WIDTH+me] : none;
        __syncthreads();
        for (int j=0; j<WIDTH; ++j)
        {
            const float4 other = stage[j];
            for (int q=0; q<2; ++q) { interact(sum[q], own[q], other); }
        }
        __syncthreads();
    }
    for (int q=0; q<2; ++q)
    {
        int at = first+q*WIDTH+me;
        if (at < count) { out[at] = sum[q]; }
    }
}
";

    /// Another way to do it.
    const BOB: &str = "
#define TILE 64
__global__ void accelerate(const float4 *bodies, float3 *acceleration, int n)
{
    __shared__ float4 tile[TILE];
    int left = blockIdx.x * 128 + threadIdx.x;
    int right = left + 64;
    bool has_left = left < n, has_right = right < n;
    float4 l, r;
    if (has_left) l = bodies[left]; else l = bodies[0];
    if (has_right) r = bodies[right]; else r = bodies[0];
    float3 al = make_float3(0, 0, 0), ar = make_float3(0, 0, 0);
    for (int start = 0; start < n; start += 64) {
        int here = start + threadIdx.x;
        if (here < n) tile[threadIdx.x] = bodies[here];
        __syncthreads();
        int end = min(64, n - start);
        for (int k = 0; k != end; k++) {
            float4 body = tile[k];
            interact(al, l, body);
            interact(ar, r, body);
        }
        __syncthreads();
    }
    if (has_left) acceleration[left] = al;
    if (has_right) acceleration[right] = ar;
}
";

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn renaming_things_in_the_task_s_own_comments_writes_nothing_of_one_s_own() {
        let skeletons = TASKS.iter().map(|task| (&task.exercise.name, task.skeleton()));
        for (name, skeleton) in skeletons {
            let words: BTreeSet<&str> = skeleton
                .split(|c: char| !c.is_alphanumeric())
                .filter(|word| word.len() > 3 && word.chars().all(char::is_alphabetic))
                .collect();
            for word in words {
                let renamed = skeleton.replace(word, "qwerty");
                let own = own(&renamed);
                let letters: usize = own.lines.iter().map(|line| line.chars().count()).sum();
                assert!(letters < bounds().letters, "{name}: {word}: {:?}", own.lines);
            }
        }
    }

    #[test]
    fn an_answer_that_repeats_another_text_is_known_whatever_its_lines_and_signs() {
        let model = "Without the first barrier, a warp may read the tile before another warp has written it.";
        assert!(repeats(&model.to_uppercase().replace(' ', "\n").replace(',', ";"), model, 0.8));
        assert!(repeats(&format!("I think that it is so: {model} That is all."), model, 0.8));
        let other =
            "A warp that is ahead reads the tile before another one has written to it, without the barrier.";
        assert!(!repeats(other, model, 0.8));
        assert!(!repeats("It is so.", "It is so.", 0.8), "too short to tell");
        assert!(!repeats("", model, 0.8));
    }

    #[test]
    fn a_copy_with_other_names_comments_spaces_and_order_is_found() {
        assert!(are_alike(ADA, ADA) && are_alike(ADA, COPY) && are_alike(COPY, ADA));
    }

    #[test]
    fn two_who_solve_it_in_two_ways_are_not_alike() {
        assert!(!are_alike(ADA, BOB));
        assert!(!are_alike(BOB, COPY));
    }

    #[test]
    fn two_who_write_the_same_few_lines_are_too_short_to_compare() {
        let kernel = "__global__ void add(const float *a, const float *b, float *c, int n)";
        let one = format!(
            "{kernel}\n{{\n    const unsigned int idx = threadIdx.x + blockDim.x * blockIdx.x;\n    if (idx >= n) {{\n        return;\n    }}\n    c[idx] = a[idx] + b[idx];\n}}\n"
        );
        let other = format!(
            "{kernel} {{\n  // index of this thread\n  const unsigned int tid = threadIdx.x + blockDim.x * blockIdx.x;\n  if (tid >= n) return;\n  c[tid] = a[tid] + b[tid];\n}}\n"
        );
        assert!(own(&one).tokens() > 0 && !are_alike(&one, &other) && !are_alike(&one, &one));
    }

    #[test]
    fn names_must_be_changed_throughout_in_one_way() {
        let line = |a: &str, b: &str, n: usize| format!("{a}[{n}] = {a}[{n} + 7] * {b} - {n};\n");
        let lines = |b: &dyn Fn(usize) -> String| (0..12).map(|n| line("v", &b(n), n)).collect::<String>();
        let (one, same) = (lines(&|_| "c".to_owned()), lines(&|_| "factor".to_owned()));
        assert!(are_alike(&one, &same));
        assert!(!are_alike(&one, &lines(&|n| format!("c{n}"))));
    }

    /// A source whose author replaced all names, in comments too; not in texts, which a program prints.
    fn renamed(source: &str) -> String {
        let tokens = written::tokens(source, MOST_TOKENS);
        let names = names(&tokens);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let (mut text, mut quoted) = (String::new(), false);
        for word in source.split_inclusive(|c| !is_part(c)) {
            let name = word.trim_end_matches(|c| !is_part(c));
            let kept = quoted || ["x", "y", "z", "w"].contains(&name);
            let new = if names.contains(name) && !kept { format!("my_{name}") } else { name.to_owned() };
            quoted ^= word.ends_with('"');
            text += &new;
            text += &word[name.len()..];
        }
        text
    }

    #[test]
    fn the_workbook_s_text_is_not_a_student_s_own_in_any_order_and_under_any_names() {
        for task in TASKS.iter() {
            let names = task.variants.names().into_iter().filter_map(|name| task.variants.named(name));
            for text in names.chain([task.variants.solution()]) {
                let own = own(&renamed(&text));
                assert!(own.lines.is_empty(), "{}: {:?}", task.exercise.name, own.lines);
                assert_eq!(own.tokens(), 0, "{}: {:?}", task.exercise.name, own.forms);
            }
            // As students do who keep what they replace.
            let old: String = task.skeleton().lines().map(|line| format!("    // {line}\n")).collect();
            assert!(!are_alike(&format!("{old}int a;"), &format!("float b;{old}")), "{}", task.exercise.name);
        }
    }

    #[test]
    fn a_remark_of_one_s_own_is_found_wherever_it_is() {
        let remark = "my grandmother told me that threads are numbered from zero, so this cannot be right";
        let solution = TASKS[0].variants.solution();
        let one = format!("{solution}// {remark}\n");
        assert!(are_alike(&one, &format!("   /* {}\r\n   */ {solution}", remark.to_uppercase())));
        assert!(!are_alike(&solution, &solution) && !are_alike(&one, &solution));
    }

    #[test]
    fn what_more_than_a_few_have_is_everybody_s() {
        let most = bounds().common;
        let works =
            |count: usize| (0..count).map(|at| (at, own(if at % 2 == 0 { ADA } else { COPY }))).collect();
        let found = all(works(most), bounds());
        assert!(found.iter().all(|others| others.len() == most - 1), "{found:?}");
        assert!(all(works(most + 1), bounds()).iter().all(Vec::is_empty));
        // Two files of one student are not two students.
        assert_eq!(all(vec![(3, own(ADA)), (3, own(ADA))], bounds()), [[0; 0], [0; 0]]);
    }

    #[test]
    fn a_source_of_any_form_is_compared_in_time() {
        let long = "x = (y ; } { ) # if ( \n".repeat(50_000);
        for text in ["", "(((((", "#", "#define", "/*", "\"", "if", &long] {
            let own = own(text);
            let _ = own.is_like(&own, bounds());
        }
    }
}

//! What is run. A suite is a folder beside this file; its scripts share what is installed for it.

use std::path::Path;

pub struct Suite {
    pub name: &'static str,
    /// Folders of ours, besides its own and `kit`, whose files it works on.
    pub examples: &'static [&'static str],
    pub scripts: &'static [Script],
}

pub struct Script {
    pub file: &'static str,
    /// What it prints at least: a script that ended early must not pass.
    pub fewest: usize,
    /// It takes longer than the others, and runs only if `LUDOTHEQUE_TEST_LONG` is set, as `./scripts/test long` does.
    pub is_long: bool,
}

impl Script {
    pub fn name(&self) -> &'static str {
        self.file.split('.').next().unwrap_or(self.file)
    }

    pub fn is_python(&self) -> bool {
        Path::new(self.file).extension().is_some_and(|extension| extension == "py")
    }
}

const fn script(file: &'static str, fewest: usize) -> Script {
    Script { file, fewest, is_long: false }
}

const fn long_script(file: &'static str, fewest: usize) -> Script {
    Script { file, fewest, is_long: true }
}

pub const SUITES: &[Suite] = &[
    Suite {
        name: "graphql",
        examples: &[],
        scripts: &[
            script("audits.mjs", 62),
            script("graphql-ws.mjs", 10),
            script("graphql-sse.mjs", 8),
            script("apollo.mjs", 8),
            script("urql.mjs", 6),
            script("graphql-request.mjs", 7),
            script("field-merging.mjs", 68),
        ],
    },
    Suite {
        name: "openapi",
        examples: &[],
        scripts: &[script("redocly.mjs", 40), script("spectral.mjs", 40), script("spec_validator.py", 4)],
    },
    Suite {
        name: "sdl",
        examples: &[],
        scripts: &[script("graphql-eslint.mjs", 28), script("graphql-schema-linter.mjs", 15)],
    },
    Suite {
        name: "schemathesis",
        examples: &[],
        scripts: &[script("openapi.py", 390), script("walk.py", 100), script("random_documents.py", 160)],
    },
    Suite {
        name: "clients",
        examples: &["clients/typescript", "clients/python"],
        scripts: &[script("typescript.mjs", 10), script("python.py", 3)],
    },
    Suite {
        name: "openapi-generator",
        examples: &[],
        scripts: &[script("python.py", 8), script("typescript.mjs", 8), long_script("rust.py", 7)],
    },
    Suite { name: "orval", examples: &[], scripts: &[script("orval.mjs", 8)] },
    Suite { name: "kubb", examples: &[], scripts: &[script("kubb.mjs", 2)] },
    Suite { name: "rtk-query", examples: &[], scripts: &[script("rtk-query.mjs", 2)] },
    Suite { name: "ariadne-codegen", examples: &[], scripts: &[script("generate.py", 9)] },
    Suite { name: "gql", examples: &[], scripts: &[script("gql_client.py", 7)] },
    Suite { name: "sbom", examples: &[], scripts: &[script("contents.py", 6)] },
];

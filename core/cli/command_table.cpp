// The commands: every word, option and example of the command line is said here once.
#include <algorithm>
#include <array>

#include "cli/verbs/verbs.h"

namespace tidegate::cli {

namespace {

using std::array;
using std::string_view;

constexpr std::size_t kMany = 100'000;  // arguments of a command that takes any number

// Options that several commands have.
constexpr Option kJson{.name = "json", .help = "Answer in JSON on standard output, failures too."};
constexpr Option kListen{
    .name = "listen",
    .letter = 'l',
    .value = "URL",
    .help =
        "Where to listen: http://localhost:3000, http://:80 for every address, http://[::1]:80, "
        "http://unix:/run/x.sock, fd:3, systemd:NAME; port 0 takes any free one. May be given several "
        "times. Without it: http://localhost:8080, or the next free port.",
    .repeatable = true};
constexpr Option kLog{.name = "log",
                      .help = "Write a line for each exchange to standard output, in the combined format."};
constexpr Option kHttps{.name = "https", .help = "Not in this version.", .hidden = true};
constexpr Option kConfig{
    .name = "config",
    .letter = 'c',
    .value = "FILE",
    .help =
        "The configuration file. Without it: /etc/tidegate/tidegate.toml, or tidegate/tidegate.toml in "
        "the user's configuration directory.",
    .completes = Completes::kFile};
constexpr Option kSocket{
    .name = "socket",
    .value = "PATH",
    .help =
        "The control socket of the server. Without it: admin.sock in the runtime directory, or the only "
        "other one there that answers.",
    .completes = Completes::kFile};

constexpr array kServeOptions{
    kListen,
    Option{
        .name = "spa",
        .help =
            "Answer paths that are not found with /index.html, for apps that route in the browser. No listings then."},
    Option{.name = "listing", .help = "List directories that have no index.html. The default without --spa."},
    Option{.name = "no-listing", .help = "Answer 404 for such directories."},
    Option{.name = "hidden", .help = "Serve names that begin with a dot, too."},
    kLog,
    kHttps,
};
constexpr array kServeExamples{
    Example{"tidegate serve ./public", "The folder on http://localhost:8080."},
    Example{"tidegate serve --spa --listen http://localhost:3000 dist", "A built app."},
    Example{"tidegate serve --listen http://:8080 .", "Seen by the other machines of the network."},
};

constexpr array kRespondOptions{
    kListen,
    Option{.name = "status", .letter = 's', .value = "N", .help = "The status, 200 to 599. Without it: 200."},
    Option{.name = "content-type", .value = "TYPE", .help = "The media type. Without it: text/plain; charset=utf-8."},
    kLog,
    kHttps,
};
constexpr array kRespondExamples{
    Example{"tidegate respond 'Back at ten.' --status 503", "An answer while the real server is away."},
    Example{"tidegate respond '{\"ok\":true}' --content-type application/json", "A health check to test against."},
};

constexpr array kRunOptions{
    kConfig,
    Option{
        .name = "socket",
        .value = "PATH",
        .help =
            "Where to open the control socket. Without it: `admin.listen` of the configuration, or admin.sock in the runtime "
            "directory ($TIDEGATE_RUNTIME_DIR; /run/tidegate for root; else the user's).",
        .completes = Completes::kFile},
};
constexpr array kRunExamples{
    Example{"tidegate run --config /etc/tidegate/tidegate.toml", ""},
    Example{"tidegate run", "The usual file, or the welcome page on http://127.0.0.1:8080 when there is none."},
};

constexpr array kCheckOptions{kConfig, kJson};
constexpr array kCheckExamples{
    Example{"tidegate check --config site.toml", "All errors at once, with line and column."},
    Example{"tidegate check --config site.toml && tidegate reload", ""},
};

constexpr array kFmtOptions{
    Option{.name = "check",
           .help = "Change nothing: name the files that would change, and exit with 10 if there are any."},
    Option{.name = "diff", .help = "Change nothing: show what would change."},
};
constexpr array kFmtExamples{
    Example{"tidegate fmt tidegate.toml conf.d/*.toml", ""},
    Example{"tidegate fmt --check --diff tidegate.toml", "For a commit hook."},
};

constexpr array kConfigShowOptions{
    kConfig,
    Option{.name = "effective", .help = "All files in one, as the server understands them, paths absolute."},
    Option{.name = "with-defaults", .help = "The same with every setting that has a default."},
    kJson,
};
constexpr array kConfigShowExamples{
    Example{"tidegate config show --effective --config site.toml", ""},
    Example{"tidegate config show --with-defaults --json", ""},
};
constexpr array kSchemaExamples{
    Example{"tidegate config schema > tidegate.schema.json", "For the completion of an editor."}};
constexpr array kReferenceExamples{Example{"tidegate config reference > configuration-reference.md", ""}};

constexpr array kStatusOptions{kSocket, kJson};
constexpr array kStatusExamples{
    Example{"tidegate status", ""},
    Example{"tidegate status --json | jq .connections", ""},
};
constexpr array kReloadExamples{
    Example{"tidegate reload", "The new generation, or all errors; then nothing has changed."}};
constexpr array kStopOptions{
    Option{.name = "now", .help = "End connections at once instead of letting them finish."},
    Option{.name = "timeout",
           .value = "TIME",
           .help = "Give up waiting after this time, such as 10s (exit code 1). The server stops all the same."},
    kSocket,
    kJson,
};
constexpr array kStopExamples{
    Example{"tidegate stop", "Returns when the process is gone."},
    Example{"tidegate stop --now", ""},
};

constexpr array kVersionOptions{kJson};
constexpr array kVersionExamples{Example{"tidegate version", ""}};
constexpr array<string_view, 3> kShells{"bash", "zsh", "fish"};
constexpr array kCompletionExamples{
    Example{"source <(tidegate completion bash)", "For this shell; in ~/.bashrc for every one."},
    Example{"tidegate completion zsh > ~/.zfunc/_tidegate", "A directory that is in fpath before compinit runs."},
    Example{"tidegate completion fish > ~/.config/fish/completions/tidegate.fish", ""},
};
constexpr array kHelpExamples{Example{"tidegate help serve", ""}};

constexpr array kCommands{
    Command{
        .name = "serve",
        .group = Group::kServing,
        .summary = "share a folder over HTTP",
        .description =
            "Serves DIR, or the working directory, until Ctrl-C. Browsers ask for each file again and are told when it has not "
            "changed, so that an edited page is seen at once. Files with .br, .zst or .gz beside them are sent compressed.",
        .positional = {.name = "DIR", .max = 1, .completes = Completes::kDirectory},
        .options = kServeOptions,
        .examples = kServeExamples,
        .run = &serve},
    Command{.name = "respond",
            .group = Group::kServing,
            .summary = "give one answer to every request",
            .description = "Answers every request with TEXT until Ctrl-C.",
            .positional = {.name = "TEXT", .min = 1, .max = 1},
            .options = kRespondOptions,
            .examples = kRespondExamples,
            .run = &respond},
    Command{
        .name = "run",
        .group = Group::kServing,
        .summary = "run the server with a configuration",
        .description =
            "Stays in the foreground. TERM and INT end it when its connections have finished, a second one at once; HUP reloads the "
            "configuration, USR1 opens the log files again.",
        .options = kRunOptions,
        .examples = kRunExamples,
        .run = &run_configuration},
    Command{
        .name = "check",
        .group = Group::kConfiguration,
        .summary = "find all mistakes of a configuration",
        .description =
            "Reads the file and what it includes, and says everything that is wrong or doubtful. Warnings do not fail. Exit code 3: not valid.",
        .options = kCheckOptions,
        .examples = kCheckExamples,
        .run = &check},
    Command{
        .name = "fmt",
        .group = Group::kConfiguration,
        .summary = "bring configuration files into their layout",
        .description =
            "Rewrites the files in place and names those that changed; comments and order stay. Without a FILE, and for -, standard "
            "input is formatted to standard output.",
        .positional = {.name = "FILE", .max = kMany, .completes = Completes::kFile},
        .options = kFmtOptions,
        .examples = kFmtExamples,
        .run = &format_files},
    Command{
        .name = "config show",
        .group = Group::kConfiguration,
        .summary = "show a configuration as it is read",
        .description =
            "The files with all that they include, as they are written. Values from ${env:X} and ${file:X} are not shown.",
        .options = kConfigShowOptions,
        .examples = kConfigShowExamples,
        .run = &config_show},
    Command{.name = "config schema",
            .group = Group::kConfiguration,
            .summary = "print the JSON Schema of the configuration",
            .description = "",
            .options = {},
            .examples = kSchemaExamples,
            .run = &config_schema},
    Command{.name = "config reference",
            .group = Group::kConfiguration,
            .summary = "print the reference of all settings (Markdown)",
            .description = "",
            .options = {},
            .examples = kReferenceExamples,
            .run = &config_reference},
    Command{.name = "status",
            .group = Group::kRunning,
            .summary = "show what the running server does",
            .description = "What needs attention comes first. Exit code 6: no server was reached.",
            .options = kStatusOptions,
            .examples = kStatusExamples,
            .run = &show_status},
    Command{
        .name = "reload",
        .group = Group::kRunning,
        .summary = "put the changed configuration in force",
        .description =
            "All or nothing: a configuration with an error changes nothing (exit code 3). No connection is closed unless its listener is gone.",
        .options = kStatusOptions,
        .examples = kReloadExamples,
        .run = &reload},
    Command{.name = "stop",
            .group = Group::kRunning,
            .summary = "stop the running server and wait for its end",
            .description = "Connections may finish first, at most for `server.shutdown_timeout`.",
            .options = kStopOptions,
            .examples = kStopExamples,
            .run = &stop},
    Command{.name = "version",
            .group = Group::kOther,
            .summary = "say which version this is",
            .description = "",
            .options = kVersionOptions,
            .examples = kVersionExamples,
            .run = &version},
    Command{.name = "completion",
            .group = Group::kOther,
            .summary = "print the completion script of a shell",
            .description = "",
            .positional = {.name = "SHELL", .min = 1, .max = 1, .completes = Completes::kWords, .words = kShells},
            .options = {},
            .examples = kCompletionExamples,
            .run = &completion},
    Command{.name = "help",
            .group = Group::kOther,
            .summary = "say what a command does",
            .description = "",
            .positional = {.name = "COMMAND", .max = 2},
            .options = {},
            .examples = kHelpExamples,
            .run = &help},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

std::string_view title_of(Group group) {
  switch (group) {
    case Group::kServing: return "serving:";
    case Group::kConfiguration: return "configuration:";
    case Group::kRunning: return "a running server:";
    case Group::kOther: return "other:";
  }
  return {};
}

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(kCommands, name, &Command::name);
  return found == kCommands.end() ? nullptr : &*found;
}

bool is_family(std::string_view word) {
  return std::ranges::any_of(kCommands, [word](const Command& command) {
    return command.name.size() > word.size() && command.name.starts_with(word) && command.name[word.size()] == ' ';
  });
}

}  // namespace tidegate::cli

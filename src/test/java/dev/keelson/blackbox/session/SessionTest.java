package dev.keelson.blackbox.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the format of sessions. */
class SessionTest {

  private static final String HEAD = "# Purpose\n# https://kubernetes.io/docs/\n";

  @Test
  void steps_haveCommandsAndWhatIsExpected() {
    Session session =
        Session.parse(
            "s",
            HEAD
                + """
                @alone
                @controllers

                $ cat <<EOF
                > one
                >
                > EOF
                one

                \\# no comment
                ! wrong
                !
                ? 2

                # between
                ~ true
                """);

    assertThat(session.alone()).isTrue();
    assertThat(session.controllers()).isTrue();
    assertThat(session.steps())
        .containsExactly(
            new Step(
                6,
                "cat <<EOF\none\n\nEOF",
                List.of("one", "", "# no comment"),
                List.of("wrong", ""),
                2,
                false),
            new Step(18, "true", List.of(), List.of(), 0, true));
  }

  @Test
  void linesOutOfPlace_areRejected() {
    assertThatThrownBy(() -> Session.parse("s", HEAD + "text\n$ true\n"))
        .hasMessage("s.txt:3: neither a comment nor a command: text");
    assertThatThrownBy(() -> Session.parse("s", HEAD + "$ true\ntext\n> more\n"))
        .hasMessage("s.txt:5: a command does not continue behind its output");
    assertThatThrownBy(() -> Session.parse("s", HEAD)).hasMessage("s.txt:1: no command");
    assertThatThrownBy(() -> Session.parse("s", "$ true\n# https://kubernetes.io\n"))
        .hasMessageContaining("names a page");
  }
}

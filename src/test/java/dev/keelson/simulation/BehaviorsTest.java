package dev.keelson.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BehaviorsTest {

  private static Behaviors parsed(String yaml) {
    return Behaviors.parse(yaml.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void printed_isThatOfTheFirstRuleThatMatches() {
    Behaviors behaviors =
        parsed(
            """
            pods:
            - selector: {matchLabels: {app: a}}
              log: |
                ready
                listening
              exec: {output: "x\\n", exitCode: 3}
            - log: others
            """);

    assertThat(behaviors.printed(Map.of("app", "a")))
        .isEqualTo(new Printed("ready\nlistening\n", "x\n", 3));
    assertThat(behaviors.printed(Map.of())).isEqualTo(new Printed("others", "", 0));
    assertThat(Behaviors.DEFAULT.printed(Map.of())).isEqualTo(new Printed("", "", 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{pods: [{exec: {exitCode: 256}}]}|pods[0].exec.exitCode must be a whole number from 0 to"
            + " 255",
        "{pods: [{exec: {exitCode: -1}}]}|pods[0].exec.exitCode must be a whole number from 0 to"
            + " 255",
        "{pods: [{exec: {exitCode: 1.5}}]}|pods[0].exec.exitCode must be a whole number from 0 to"
            + " 255",
        "{pods: [{exec: {text: a}}]}|pods[0].exec.text is unknown",
        "{pods: [{end: {exitCode: 0}}]}|pods[0].end.exitCode must be a whole number from 1 to 255",
        "{pods: [{logs: a}]}|pods[0].logs is unknown",
      })
  void whatIsWrong_isNamed(String yaml, String expected) {
    assertThatThrownBy(() -> parsed(yaml)).hasMessage(expected);
  }
}

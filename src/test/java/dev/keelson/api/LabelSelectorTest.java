package dev.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Expected answers: derived by hand from the label selectors of Kubernetes 1.36, not captured from
 * a server.
 */
@Timeout(120)
class LabelSelectorTest {

  @ParameterizedTest(name = "{0} on {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                        | a=1      | true
          '  '                      | a=1      | true
          a=1                       | a=1      | true
          a=1                       | a=2      | false
          a=1                       | ''       | false
          a==1                      | a=1      | true
          a = 1                     | a=1      | true
          a!=1                      | a=2      | true
          a!=1                      | ''       | true
          a!=1                      | a=1      | false
          a=                        | a=       | true
          a=                        | ''       | false
          a=,b=2                    | a= b=2   | true
          a!=                       | a=x      | true
          a!=                       | a=       | false
          a                         | a=1      | true
          a                         | b=1      | false
          !a                        | b=1      | true
          ! a                       | b=1      | true
          !a                        | a=       | false
          a in (1,2)                | a=2      | true
          a in (1, 2)               | a=3      | false
          a in (1,2)                | ''       | false
          a in ()                   | a=       | true
          a in (,1)                 | a=       | true
          a in (1,)                 | a=       | true
          a notin (1,2)             | a=3      | true
          a notin (1,2)             | ''       | true
          a notin (1,2)             | a=1      | false
          a notin (1,2),b           | b=x      | true
          a in(1,2),!b,c=3          | a=1 c=3  | true
          a in (1,2),!b,c=3         | a=1      | false
          a>5                       | a=6      | true
          a>5                       | a=5      | false
          a>5                       | a=10     | true
          a > 5                     | a=x      | false
          a<5                       | a=4      | true
          a<5                       | ''       | false
          in                        | in=1     | true
          in in (in,notin)          | in=notin | true
          notin=in                  | notin=in | true
          example.org/a.b_c-d=x_y.z | example.org/a.b_c-d=x_y.z | true
          """)
  void matches_followsTheGrammar(String selector, String labels, boolean expected) {
    assertThat(LabelSelector.parse(selector).matches(labels(labels))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ",",
        "a,",
        "a,,b",
        ",a",
        "=1",
        "a=1=2",
        "a==1==2",
        "!",
        "!!a",
        "!a=1",
        "a b",
        "a in",
        "a in 1",
        "a in (1",
        "a in (1 2)",
        "a in ((1))",
        "a notin",
        "a>1>2",
        "a=(",
        "a in (1),)"
      })
  void parse_ofWhatIsNoSelector_saysWhy(String text) {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> LabelSelector.parse(text))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .satisfies(e -> assertThat(e.text()).contains("found '").contains("expected: "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ,a       | found ',', expected: !, identifier, or 'end of string'
          a,,b     | found ',', expected: identifier after ','
          a,       | found '', expected: identifier after ','
          a=1 b    | found 'b', expected: ',' or 'end of string'
          !a=1     | found '=', expected: ',' or 'end of string'
          !!a      | unable to parse requirement: found '!', expected: identifier
          a b      | unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt
          a in     | unable to parse requirement: found '' expected: '('
          a in (   | unable to parse requirement: found '', expected: ',', ')' or identifier
          a in (1  | unable to parse requirement: found '', expected: ',' or ')'
          a in (1, | unable to parse requirement: found '', expected: ',', or identifier
          a=(      | unable to parse requirement: found '(', expected: identifier
          a>       | unable to parse requirement: values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer
          a>x      | unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer
          """)
  void parse_ofABrokenGrammar_saysWhatItFound(String text, String message) {
    assertThat(catchThrowableOfType(ApiException.class, () -> LabelSelector.parse(text)).text())
        .isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          -a          | <nil>: Invalid value: "-a": name part must
          a/b/c       | <nil>: Invalid value: "a/b/c": a valid label key must
          /a          | <nil>: Invalid value: "/a": prefix part must be non-empty
          A.B/a       | <nil>: Invalid value: "A.B/a": prefix part a lowercase
          é=1         | <nil>: Invalid value: "é": name part must
          a=b-        | values[0][a]: Invalid value: "b-": a valid label must
          a in (z-,b) | values[1][a]: Invalid value: "z-": a valid label must
          a in (b/,c/)| [values[0][a]: Invalid value: "b/": a valid label must
          a>-1        | values[0][a]: Invalid value: "-1": a valid label must
          """)
  void parse_ofWhatNoLabelCanBe_saysWhere(String text, String message) {
    assertThat(catchThrowableOfType(ApiException.class, () -> LabelSelector.parse(text)).text())
        .startsWith("unable to parse requirement: " + message);
  }

  @Test
  void isEverything_isTrueWithoutRequirements() {
    assertThat(LabelSelector.parse("").isEverything()).isTrue();
    assertThat(LabelSelector.parse("a").isEverything()).isFalse();
  }

  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (String label : text.split(" ")) {
      int equals = label.indexOf('=');
      if (equals > 0) {
        labels.put(label.substring(0, equals), label.substring(equals + 1));
      }
    }
    return labels;
  }
}

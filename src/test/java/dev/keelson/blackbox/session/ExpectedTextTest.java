package dev.keelson.blackbox.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how printed lines are compared. */
class ExpectedTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a b             | a b
          NAME   AGE      | NAME     AGE
          web  {age}      | web      2m3s
          web  {age}      | web      14h
          uid: {uid}      | uid: 2ebf54cc-5107-414d-8b08-761e20c0caeb
          rv: "{n}"       | rv: "12"
          at {time}       | at 2026-11-22T23:17:20Z
          at {time}       | at 2026-11-22T23:17:20.123456Z
          at {time}       | at Sun, 22 Nov 2026 23:17:20 +0000
          web-{suffix}    | web-x7k2p
          {"a":{*}}       | {"a":[1,{}]}
          {"other":"b"}   | {"other":"b"}
          pod "p" deleted | pod "p" deleted from shop namespace
          {"pod": {unknown}} | {"pod": {unknown}}
          """)
  void lines_match(String expected, String printed) {
    assertThat(new ExpectedText(List.of(expected)).matches(printed + "\n")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a b        | a  b
          web {age}  | web soon
          rv: "{n}"  | rv: "x"
          a.b        | axb
          \\Q{n}\\E  | \\Q1\\E x
          """)
  void lines_differ(String expected, String printed) {
    assertThat(new ExpectedText(List.of(expected)).matches(printed)).isFalse();
  }

  @Test
  void anyLines_standForAnyNumber() {
    ExpectedText text = new ExpectedText(List.of("first", "{...}", "last"));

    assertThat(text.matches("first\nlast\n")).isTrue();
    assertThat(text.matches("first\na\nb\nlast\n")).isTrue();
    assertThat(text.matches("first\nlast\nmore\n")).isFalse();
    assertThat(text.matches("last\n")).isFalse();
  }

  @Test
  void difference_marksLines() {
    ExpectedText text = new ExpectedText(List.of("a", "b {n}", "c"));

    assertThat(text.difference("a\nb x\nc\nd\n"))
        .isEqualTo("      a\n    - b {n}\n    + b x\n      c\n    + d\n");
  }
}

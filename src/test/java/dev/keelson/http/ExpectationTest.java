package dev.keelson.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectationTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          100-continue          | true
          100-Continue          | true
          token, 100-continue   | true
          token\t100-continue ,x | true
          ''                    | false
          100-continued         | false
          x-100-continue        | false
          ,                     | false
          """)
  void value_isContinue_withThatToken(String value, boolean expected) {
    assertThat(Expectation.isContinue(value)).isEqualTo(expected);
  }
}

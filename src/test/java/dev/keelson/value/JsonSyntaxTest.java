package dev.keelson.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class JsonSyntaxTest {

  private static String problem(String json) {
    return JsonSyntax.problem(json.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        " {\"a\": [1, -0.5e+3, 0, true, false, null, {\"b\": []}, [[]]], \"c\": \"\\u00e9\\n\"} \n",
        "\"ü\"",
        "-12",
        "null"
      })
  void problem_ofJson_isNone(String json) {
    assertThat(problem(json)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | unexpected end of JSON input",
        "{ | unexpected end of JSON input",
        "{\"auths\": {} | unexpected end of JSON input",
        "{\"auths | unexpected end of JSON input",
        "nul | unexpected end of JSON input",
        "bad | invalid character 'b' looking for beginning of value",
        "{a: 1} | invalid character 'a' looking for beginning of object key string",
        "{\"a\": 1,} | invalid character '}' looking for beginning of object key string",
        "{\"a\" 1} | invalid character '1' after object key",
        "{\"a\": 1 \"b\": 2} | invalid character '\"' after object key:value pair",
        "{\"a\": } | invalid character '}' looking for beginning of value",
        "[1 2] | invalid character '2' after array element",
        "[1,] | invalid character ']' looking for beginning of value",
        "{} {} | invalid character '{' after top-level value",
        "01 | invalid character '1' after top-level value",
        "\"\\x\" | invalid character 'x' in string escape code",
        "\"\\u12g4\" | invalid character 'g' in \\u hexadecimal character escape",
        "tru! | invalid character '!' in literal true (expecting 'e')",
        "-a | invalid character 'a' in numeric literal",
        "1.a | invalid character 'a' after decimal point in numeric literal",
        "1e+a | invalid character 'a' in exponent of numeric literal",
        "' | invalid character '\\'' looking for beginning of value"
      })
  void problem_isThatOfGo(String json, String problem) {
    assertThat(problem(json)).isEqualTo(problem);
  }

  @Test
  void problem_ofALineBreakInAString_isQuoted() {
    assertThat(problem("\"a\nb\"")).isEqualTo("invalid character '\\n' in string literal");
  }

  @Test
  void problem_ofDeepNesting_isItsDepth() {
    assertThat(problem("[".repeat(10_000) + "]".repeat(10_000))).isEmpty();
    assertThat(problem("[".repeat(1_000_000))).isEqualTo("exceeded max depth");
  }
}

package dev.keelson.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The expected texts are those of Go's functions that each class names. */
class TextFormsTest {

  @Test
  void quote_escapesWhatGoEscapes() {
    assertThat(GoQuote.quote("a\"b\\c\n\r\t\u0007\b\f\u000b\u0001\u007f"))
        .isEqualTo("\"a\\\"b\\\\c\\n\\r\\t\\a\\b\\f\\v\\x01\\x7f\"");
    assertThat(GoQuote.quote("\u0085 \u00a0\u200b\ue000"))
        .isEqualTo("\"\\u0085 \\u00a0\\u200b\\ue000\"");
    assertThat(GoQuote.quote(Character.toString(0x10ffff))).isEqualTo("\"\\U0010ffff\"");
    assertThat(GoQuote.quote("\u00e4\u4e16" + Character.toString(0x1f600)))
        .isEqualTo("\"\u00e4\u4e16" + Character.toString(0x1f600) + "\"");
    assertThat(GoQuote.quote("")).isEqualTo("\"\"");
  }

  @ParameterizedTest
  @CsvSource({"a%2fb,a/b", "a+b,a+b", "%C3%A4,ä", "plain,plain", "100%25,100%"})
  void decode_readsEscapes(String text, String decoded) {
    assertThat(PercentEncoding.decode(text)).isEqualTo(decoded);
    assertThat(PercentEncoding.decodeOrKeep(text)).isEqualTo(decoded);
  }

  @ParameterizedTest
  @ValueSource(strings = {"100%", "%zz+", "a%2"})
  void malformedEscape_isRefusedOrKept(String text) {
    assertThatThrownBy(() -> PercentEncoding.decode(text))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(PercentEncoding.decodeOrKeep(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1,127.0.0.1:6443", "example.org,example.org:6443", "::1,[::1]:6443"})
  void join_putsBracketsAroundIpv6(String host, String joined) {
    assertThat(HostPort.join(host, "6443")).isEqualTo(joined);
  }
}

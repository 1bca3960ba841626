package dev.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.api.FieldSelector.Term;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class FieldSelectorTest {

  private static final Map<String, String> FIELDS =
      Map.of("metadata.name", "a", "spec.x", "1,2", "spec.y", "p=q", "spec.z", "b\\c");

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                          | true
          ,                           | true
          metadata.name=a             | true
          metadata.name==a            | true
          metadata.name!=a            | false
          metadata.name=b             | false
          metadata.name!=b            | true
          metadata.name=a,            | true
          metadata.name=a,spec.x!=9   | true
          metadata.name=a,spec.x=9    | false
          spec.x=1\\,2                | true
          spec.y=p\\=q                | true
          spec.z=b\\\\c               | true
          spec.missing=               | true
          spec.missing!=              | false
          """)
  void matches_comparesText(String selector, boolean expected) {
    FieldSelector parsed = FieldSelector.parse(selector);

    assertThat(parsed.matches(field -> FIELDS.getOrDefault(field, ""))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a        | invalid selector: 'a'; can't understand 'a'
          b=1,a    | invalid selector: 'b=1,a'; can't understand 'a'
          z,b,c=1  | invalid selector: 'z,b,c=1'; can't understand 'b'
          a>1      | invalid selector: 'a>1'; can't understand 'a>1'
          a=b=c    | invalid field selector: unescaped character in value: 61
          a==b==c  | invalid field selector: unescaped character in value: 61
          a=b\\  | invalid field selector: invalid escape sequence: \\
          a=b\\c | invalid field selector: invalid escape sequence: \\c
          """)
  void parse_ofWhatIsNoSelector_saysWhy(String text, String message) {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> FieldSelector.parse(text))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .satisfies(e -> assertThat(e.text()).isEqualTo(message));
  }

  @Test
  void parse_ofABackslashBeforeTheOperator_takesItAsPartOfTheField() {
    assertThat(FieldSelector.parse("a\\=b").terms()).containsExactly(new Term("a\\", "b", false));
  }

  @Test
  void parse_ordersTheTerms() {
    assertThat(FieldSelector.parse("c==3,a=1,b!=2").terms())
        .containsExactly(
            new Term("a", "1", false), new Term("b", "2", true), new Term("c", "3", false));
  }

  @Test
  void required_isTheValueAskedFor() {
    FieldSelector selector = FieldSelector.parse("a!=0,a=1,b!=2");

    assertThat(selector.required("a")).isEqualTo("1");
    assertThat(selector.required("b")).isEmpty();
    assertThat(selector.required("c")).isEmpty();
  }
}

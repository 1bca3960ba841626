package dev.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.api.FieldSelector.Term;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
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
  @ValueSource(strings = {"a", "a,b=1", "a>1", "b=1,a", "a=b=c", "a=b\\", "a=b\\c"})
  void parse_ofWhatIsNoSelector_saysWhy(String text) {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> FieldSelector.parse(text))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST))
        .satisfies(e -> assertThat(e.text()).contains(text));
  }

  @Test
  void parse_keepsTheTermsInOrder() {
    assertThat(FieldSelector.parse("a=1,b!=2,c==3").terms())
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

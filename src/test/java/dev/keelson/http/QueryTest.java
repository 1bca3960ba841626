package dev.keelson.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {

  @Test
  void parse_keepsEveryValueInOrder() {
    Query query = Query.parse("a=1&b=2&a=3&&empty=&bare");

    assertThat(query.all("a")).containsExactly("1", "3");
    assertThat(query.first("a")).isEqualTo("1");
    assertThat(query.has("empty")).isTrue();
    assertThat(query.has("bare")).isTrue();
    assertThat(query.has("missing")).isFalse();
    assertThat(query.firsts())
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", "1", "b", "2", "empty", "", "bare", ""));
  }

  @Test
  void parse_decodesNamesAndValues() {
    Query query = Query.parse("label%53elector=app+in+%28a%2Cb%29&x=%C3%A9&y=a=b");

    assertThat(query.first("labelSelector")).isEqualTo("app in (a,b)");
    assertThat(query.first("x")).isEqualTo("é");
    assertThat(query.first("y")).isEqualTo("a=b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=%", "a=%2", "a=%zz", "%g0=1", "a=%+1", "a=1;b=2", ";"})
  void parse_malformedParameter_isIgnored(String raw) {
    Query query = Query.parse(raw + "&limit=5");

    assertThat(query.firsts()).containsExactlyEntriesOf(Map.of("limit", "5"));
  }

  @ParameterizedTest
  @CsvSource({
    "f=1, true",
    "f=true, true",
    "f=, true",
    "f=0, false",
    "f=False, false",
    "g=1, false"
  })
  void flag_isReadAsKubernetesDoes(String raw, boolean set) {
    assertThat(Query.parse(raw).flag("f")).isEqualTo(set);
  }

  @Test
  void nothing_hasNoValues() {
    assertThat(Query.parse("")).isEqualTo(Query.NONE);
    assertThat(Query.NONE.all("a")).isEqualTo(List.of());
    assertThat(Query.NONE.first("a")).isEmpty();
  }
}

package dev.keelson.http.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MediaTypeTest {

  @Test
  void parse_ofAnEmptyHeader_acceptsEverything() {
    assertThat(MediaType.wanted("  ")).containsExactly(new MediaType("*", "*", Map.of(), 1));
  }

  @Test
  void parse_withWeights_putsTheBestFirstAndKeepsTheOrderOfEquals() {
    List<MediaType> ranges =
        MediaType.wanted("text/html;q=0.5, application/JSON ; V=\"v2\" , */*;q=0.9, a/b, x/y;q=0");

    assertThat(ranges)
        .containsExactly(
            new MediaType("application", "json", Map.of("v", "v2"), 1),
            new MediaType("a", "b", Map.of(), 1),
            new MediaType("*", "*", Map.of(), 0.9),
            new MediaType("text", "html", Map.of(), 0.5));
  }

  @Test
  void parse_ofMalformedElements_leavesThemOut() {
    assertThat(MediaType.wanted("json, /x, a/, a/b/c, , a/b;q=zero;=1;novalue"))
        .containsExactly(new MediaType("a", "b", Map.of(), 1));
  }
}

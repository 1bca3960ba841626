package dev.keelson.http.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class MediaRangeTest {

  @Test
  void parse_ofAnEmptyHeader_acceptsEverything() {
    assertThat(MediaRange.parse("  ")).containsExactly(new MediaRange("*", "*", Map.of(), 1));
  }

  @Test
  void parse_withWeights_putsTheBestFirstAndKeepsTheOrderOfEquals() {
    List<MediaRange> ranges =
        MediaRange.parse("text/html;q=0.5, application/JSON ; V=\"v2\" , */*;q=0.9, a/b, x/y;q=0");

    assertThat(ranges)
        .containsExactly(
            new MediaRange("application", "json", Map.of("v", "v2"), 1),
            new MediaRange("a", "b", Map.of(), 1),
            new MediaRange("*", "*", Map.of(), 0.9),
            new MediaRange("text", "html", Map.of(), 0.5));
  }

  @Test
  void parse_ofMalformedElements_leavesThemOut() {
    assertThat(MediaRange.parse("json, /x, a/, a/b/c, , a/b;q=zero;=1;novalue"))
        .containsExactly(new MediaRange("a", "b", Map.of(), 1));
  }
}

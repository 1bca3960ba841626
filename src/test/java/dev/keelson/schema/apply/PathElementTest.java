package dev.keelson.schema.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PathElementTest {

  /** In the order of structured-merge-diff: fields, keys, values, positions. */
  private static final List<String> ORDERED =
      List.of(
          "f:a",
          "f:a!",
          "f:b",
          "k:{\"containerPort\":80,\"protocol\":\"TCP\"}",
          "k:{\"containerPort\":80,\"protocol\":\"UDP\"}",
          "k:{\"containerPort\":443,\"protocol\":\"TCP\"}",
          "k:{\"ip\":\"10.0.0.1\"}",
          "k:{\"name\":\"\"}",
          "k:{\"name\":\"a\"}",
          "k:{\"name\":\"a \"}",
          "k:{\"name\":\"a!\"}",
          "k:{\"name\":\"a\\\"b\"}",
          "k:{\"name\":\"aa\"}",
          "k:{\"name\":\"b\"}",
          "k:{\"name\":\"b\",\"type\":\"a\"}",
          "k:{\"name\":\"b\",\"type\":\"b\"}",
          "v:3",
          "v:12",
          "v:\"a\"",
          "v:true",
          "i:2",
          "i:10");

  @Test
  void compare_hasTheOrderOfFieldsV1() {
    for (int i = 0; i < ORDERED.size(); i++) {
      for (int j = 0; j < ORDERED.size(); j++) {
        assertThat(Integer.signum(PathElement.compare(ORDERED.get(i), ORDERED.get(j))))
            .as("%s and %s", ORDERED.get(i), ORDERED.get(j))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }
}

package dev.keelson.schema.defaulting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ImageTagTest {

  @ParameterizedTest
  @CsvSource({
    "shop, Always",
    "shop:latest, Always",
    "shop:1.2, IfNotPresent",
    "registry.example:5000/team/shop, Always",
    "registry.example/a__b/c.d/e---f:latest, Always",
    "registry.example/a___b:latest, IfNotPresent",
    "registry.example/a..b:latest, IfNotPresent",
    "registry.example/a-:latest, IfNotPresent",
    "shop@sha256:0123, IfNotPresent",
    "shop:latest@sha256:0123, Always"
  })
  void pullPolicy_isOfTheTag(String image, String policy) {
    assertThat(ImageTag.pullPolicy(image)).isEqualTo(policy);
  }

  @Test
  void pullPolicy_nameAsLongAsABody_isReadWithoutStack() {
    assertThat(ImageTag.pullPolicy("a.".repeat(1_000_000) + "a:latest")).isEqualTo("Always");
    assertThat(ImageTag.pullPolicy("a.".repeat(1_000_000) + ":latest")).isEqualTo("IfNotPresent");
  }
}

package dev.keelson.server.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.FeatureGates;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Query;
import dev.keelson.http.health.Version;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Source: {@code statusz_test.go} and {@code flagz_test.go} of apiserver. */
class ZPagesTest {

  private final ZPages pages =
      new ZPages(
          FeatureGates.DEFAULT,
          new Version("0.1.0", "abc", "2026-11-21T00:00:00Z", "linux/arm64", "java25", "hotspot"),
          Map.of("v", "2"),
          Instant.EPOCH,
          InstantSource.fixed(Instant.EPOCH),
          () -> List.of("/livez", "/readyz"));

  private ApiResponse page(String path, String accept) {
    return pages
        .answer(
            new ApiRequest(
                "GET",
                path,
                Query.NONE,
                Map.of("accept", List.of(accept)),
                new byte[0],
                List.of(),
                "192.0.2.1"))
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"statusz", "flagz"})
  void alphaVersion_isDeprecated(String name) {
    String kind = Character.toUpperCase(name.charAt(0)) + name.substring(1);
    String view = ";g=config.k8s.io;as=" + kind + ";v=";

    assertThat(page("/" + name, "application/json" + view + "v1alpha1").header("Warning"))
        .isEqualTo(
            "299 - \"This version of the "
                + name
                + " endpoint is deprecated. Please use a newer version.\"");
    assertThat(page("/" + name, "application/yaml" + view + "v1beta1").header("Warning")).isEmpty();
    assertThat(page("/" + name, "text/plain").header("Warning")).isEmpty();
  }

  @Test
  void otherTypes_areNotAcceptable() {
    assertThatThrownBy(() -> page("/statusz", "application/json"))
        .hasMessage(
            "only the following media types are accepted: application/json, application/yaml,"
                + " text/plain");
  }
}

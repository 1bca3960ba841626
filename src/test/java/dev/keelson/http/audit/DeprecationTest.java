package dev.keelson.http.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.request.RequestContext;
import dev.keelson.request.UserInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeprecationTest {

  private final RequestContext context =
      new RequestContext(new UserInfo("u", "", List.of(), Map.of()), "id");

  @BeforeEach
  void audit() {
    context.received(Instant.EPOCH);
  }

  @Test
  void warningWithARelease_isAnnotatedWithIt() {
    Deprecation.annotate(
        context,
        "batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1"
            + " CronJob");

    assertThat(context.annotations())
        .containsExactly(
            Map.entry("k8s.io/deprecated", "true"), Map.entry("k8s.io/removed-release", "1.25"));
  }

  @Test
  void warningWithoutARelease_isAnnotatedAsDeprecated() {
    Deprecation.annotate(context, "v1 ComponentStatus is deprecated in v1.19+");

    assertThat(context.annotations()).containsExactly(Map.entry("k8s.io/deprecated", "true"));
  }

  @Test
  void unauditedRequest_keepsNoAnnotations() {
    RequestContext unaudited = new RequestContext(new UserInfo("u", "", List.of(), Map.of()), "id");

    Deprecation.annotate(unaudited, "v1 ComponentStatus is deprecated in v1.19+");

    assertThat(unaudited.isAudited()).isFalse();
    assertThat(unaudited.annotations()).isEmpty();
  }
}

package dev.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is served only if {@code --runtime-config} asks for it. */
class ServedByDefaultTest {

  private static final GroupVersion VERSION =
      new GroupVersion("storagemigration.k8s.io", "v1beta1");
  private static final GroupVersionResource MIGRATIONS =
      VERSION.resource("storageversionmigrations");

  @Test
  void resource_thatIsOffByDefault_isServedIfItIsAskedFor() {
    assertThat(ApiEnablement.EVERYTHING.serves(MIGRATIONS, false)).isFalse();
    assertThat(ApiEnablement.EVERYTHING.serves(MIGRATIONS, true)).isTrue();
    assertThat(of(Map.of(ApiEnablement.BETA, true), Map.of())).isTrue();
    assertThat(of(Map.of(ApiEnablement.ALL, true), Map.of())).isTrue();
    assertThat(of(Map.of(ApiEnablement.ALPHA, true), Map.of())).isFalse();
    assertThat(of(Map.of(), Map.of(VERSION, true))).isTrue();
    assertThat(of(Map.of(ApiEnablement.ALL, true), Map.of(VERSION, false))).isFalse();
  }

  private static boolean of(Map<String, Boolean> stabilities, Map<GroupVersion, Boolean> versions) {
    return new ApiEnablement(stabilities, versions, Map.of()).serves(MIGRATIONS, false);
  }
}

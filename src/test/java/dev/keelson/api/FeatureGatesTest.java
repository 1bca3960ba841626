package dev.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FeatureGatesTest {

  @Test
  void nothingSaid_betaIsOnAndAlphaIsOff() {
    assertThat(FeatureGates.DEFAULT.on(Feature.DRY_RUN)).isTrue();
    assertThat(FeatureGates.DEFAULT.on(Feature.API_LIST_CHUNKING)).isTrue();
    assertThat(FeatureGates.DEFAULT.on(Feature.INITIALIZERS)).isFalse();
  }

  @Test
  void allAlpha_turnsOnWhatIsNotNamedItself() {
    FeatureGates gates =
        FeatureGates.DEFAULT.with(Feature.INITIALIZERS, false).with(Feature.ALL_ALPHA, true);

    assertThat(gates.on(Feature.TTL_AFTER_FINISHED)).isTrue();
    assertThat(gates.on(Feature.INITIALIZERS)).isFalse();
    assertThat(gates.on(Feature.DRY_RUN)).isTrue();
  }
}

package dev.keelson.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class DeviceSelectorsTest {

  private final DeviceSelectors selectors = new DeviceSelectors();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "true",
        "device.driver == 'gpu.example.com'",
        "device.attributes['gpu.example.com'].model == 'a100'",
        "'gpu.example.com' in device.attributes && device.attributes['gpu.example.com'].index > 1",
        "device.capacity['gpu.example.com'].memory.compareTo(quantity('10Gi')) >= 0",
        "device.allowMultipleAllocations",
      })
  void expression_onADevice_compiles(String expression) {
    assertThat(selectors.apply(expression)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "(", "device.colour == 'red'", "pod.name == 'a'"})
  void expression_thatIsNone_isAProblem(String expression) {
    assertThat(selectors.apply(expression)).startsWith("compilation failed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"device.driver", "1"})
  void expression_ofAnotherTypeThanBool_isAProblem(String expression) {
    assertThat(selectors.apply(expression)).isEqualTo("must evaluate to bool");
  }
}

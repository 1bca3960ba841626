package dev.keelson.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.schema.validation.resource.DeviceExpressions.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    assertThat(selectors.check(expression)).isEqualTo(new Finding.Accepted());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "(", "device.colour == 'red'", "pod.name == 'a'"})
  void expression_thatIsNone_isAProblem(String expression) {
    assertThat(selectors.check(expression))
        .isInstanceOfSatisfying(
            Finding.Wrong.class,
            wrong -> assertThat(wrong.problem()).startsWith("compilation failed"));
  }

  @ParameterizedTest
  @CsvSource({"device.driver, string", "1, int", "[true], list(bool)"})
  void expression_ofAnotherTypeThanBool_isAProblem(String expression, String type) {
    assertThat(selectors.check(expression))
        .isEqualTo(new Finding.Wrong("must evaluate to bool or the unknown type, not " + type));
  }

  @Test
  void expression_thatMayCostTooMuch_isTooComplex() {
    String digits = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    String expression = "a * b * c * d * e * f > 0";
    for (String name : List.of("a", "b", "c", "d", "e", "f")) {
      expression = digits + ".all(" + name + ", " + expression + ")";
    }

    assertThat(selectors.check(expression)).isEqualTo(new Finding.TooComplex());
  }
}

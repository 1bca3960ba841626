package dev.keelson.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The worst costs of selectors, as Kubernetes' own compiler of selectors estimates them. */
@Timeout(60)
class DeviceEnvironmentTest {

  private final DeviceEnvironment environment = new DeviceEnvironment();

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      textBlock =
          """
          true # 0
          "x.example.com" in device.attributes # 3
          device.driver == "" # 2
          device.driver == "dra.example.com" # 4
          device.allowMultipleAllocations == true # 3
          device.attributes["a"].name # 4
          device.attributes["a"]["name"] # 4
          device.attributes["a"].name > 0 # 5
          device.attributes["a"].name == "fish" # 5
          device.attributes["a"].name.isGreaterThan(quantity("0")) # 6
          device.attributes["a"].name.isGreaterThan(semver("0.0.1")) # 6
          device.attributes["a"].name.isGreaterThan(semver("v0.0.1", true)) && isSemver("v1.0.0", true) # 7
          device.capacity["a"].name.isGreaterThan(quantity("1Ki")) # 6
          "name" in device.capacity["a"] && device.capacity["a"].name.isGreaterThan(quantity("1Ki")) # 10
          !("name" in device.capacity["a"]) || device.capacity["a"].name.isGreaterThan(quantity("1Ki")) # 11
          device.attributes["a"].x && device.attributes["a"].y && device.attributes["a"].z # 12
          cel.bind(dra, device.attributes["a"], dra.name) # 15
          device.attributes.exists_one(x, x == "dra.example.com") # 164
          device.capacity.exists_one(x, x == "dra.example.com") # 164
          device.attributes["a"].exists_one(x, x == "services") # 133
          device.capacity["a"].exists_one(x, x == "memory") # 133
          device.attributes["a"].services.split("example").size() >= 2 # 19
          device.attributes["a"].services.matches("[^a]?sym") # 18
          device.attributes["a"].names.size() == 2 # 6
          1 in device.attributes["a"].names # 68
          """)
  void selector_costsWhatItDoesInKubernetes(String selector, long cost) {
    assertThat(DeviceEnvironment.worstCost(environment.compile(selector))).isEqualTo(cost);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      textBlock =
          """
          1 # must evaluate to bool or the unknown type, not int
          dyn(true) # must evaluate to bool or the unknown type, not dyn
          device.driver # must evaluate to bool or the unknown type, not string
          device.attributes["a"].name.exists(x, x > 0) # expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)
          device.attributes["a"].name.includes("x") # undeclared reference to 'includes'
          device.capacity["a"].name == "1Gi" # found no matching overload for '_==_' applied to '(kubernetes.Quantity, string)'
          device.capacity["a"].name > quantity("1Gi") # found no matching overload for '_>_' applied to '(kubernetes.Quantity, kubernetes.Quantity)'
          """)
  void selector_ofAnotherType_isRefused(String selector, String why) {
    assertThatThrownBy(() -> environment.compile(selector)).hasMessageContaining(why);
  }

  @Test
  void boundName_isSeenByTheRestOfTheSelector() throws EvaluationException {
    Expression selector =
        environment.compile("cel.bind(a, device.attributes['x.example.com'], a.on && a.count > 1)");

    assertThat(selector.holds(device(Map.of("on", true, "count", 2L)))).isTrue();
    assertThat(selector.holds(device(Map.of("on", true, "count", 1L)))).isFalse();
  }

  private static Map<String, ?> device(Map<String, ?> attributes) {
    return Map.of(
        DeviceEnvironment.DEVICE, Map.of("attributes", Map.of("x.example.com", attributes)));
  }
}

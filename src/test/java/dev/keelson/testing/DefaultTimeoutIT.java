package dev.keelson.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Tests that integration tests have a default timeout, longer than that of unit tests. */
@ExtendWith(DefaultTimeoutIT.Configuration.class)
class DefaultTimeoutIT {

  /** Injects JUnit's default timeout into a test. */
  static final class Configuration implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == String.class;
    }

    @Override
    public String resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getConfigurationParameter("junit.jupiter.execution.timeout.testable.method.default")
          .orElse("none");
    }
  }

  @Test
  void timeout_isLongerThanThatOfUnitTests(String timeout) {
    assertThat(timeout).isEqualTo("10 m");
  }
}

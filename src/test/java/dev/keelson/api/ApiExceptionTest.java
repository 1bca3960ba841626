package dev.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ApiExceptionTest {

  private static final GroupVersionKind KIND = new GroupVersionKind("example.com", "v1", "Tab");
  private static final FieldCause FIRST = FieldCause.forbidden("spec.a", "no");
  private static final FieldCause SECOND = FieldCause.forbidden("spec.b", "no");

  @Test
  void invalid_namesEachTextOnceAndKeepsAllCauses() {
    ApiException twice = ApiException.invalid(KIND, "x", List.of(FIRST, FIRST));
    ApiException more = ApiException.invalid(KIND, "x", List.of(FIRST, SECOND, FIRST));

    assertThat(twice).hasMessage("Tab.example.com \"x\" is invalid: spec.a: Forbidden: no");
    assertThat(twice.details().causes()).containsExactly(FIRST, FIRST);
    assertThat(more)
        .hasMessage(
            "Tab.example.com \"x\" is invalid: [spec.a: Forbidden: no, spec.b: Forbidden: no]");
    assertThat(more.details().causes()).containsExactly(FIRST, SECOND, FIRST);
  }

  @Test
  void invalid_withoutCauses_namesTheObjectAlone() {
    assertThat(ApiException.invalid(KIND, "x", List.of()))
        .hasMessage("Tab.example.com \"x\" is invalid");
  }
}

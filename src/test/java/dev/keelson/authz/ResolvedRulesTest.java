package dev.keelson.authz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResolvedRulesTest {

  @Test
  void error_hasEachErrorOnce_inBracketsIfThereAreSeveral() {
    ResolvedRules one = new ResolvedRules(List.of(), true, List.of("a"));
    ResolvedRules more = new ResolvedRules(List.of(), false, List.of("b", "a"));

    assertThat(ResolvedRules.NONE.error()).isEmpty();
    assertThat(one.error()).isEqualTo("a");
    assertThat(one.and(more).error()).isEqualTo("[a, b]");
    assertThat(one.and(more).incomplete()).isTrue();
  }
}

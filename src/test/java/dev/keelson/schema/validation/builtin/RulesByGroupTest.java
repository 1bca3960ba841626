package dev.keelson.schema.validation.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FeatureGates;
import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions;
import dev.keelson.schema.validation.apiextensions.DefaultValidation;
import dev.keelson.schema.validation.apiextensions.SchemaExpressions;
import dev.keelson.schema.validation.resource.DeviceExpressions;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RulesByGroupTest {

  private static final KindRules RULES = new KindRules() {};

  @Test
  void rules_areMadeOnce_whenAKindOfTheGroupIsAskedFor() {
    AtomicInteger made = new AtomicInteger();
    RulesByGroup rules =
        new RulesByGroup(
            Map.of(
                "apps",
                () -> {
                  made.incrementAndGet();
                  return Map.of(new GroupKind("apps", "Deployment"), RULES);
                },
                "batch",
                () -> {
                  throw new IllegalStateException("not asked for");
                }));

    assertThat(made).hasValue(0);
    assertThat(rules.of(new GroupKind("apps", "Deployment"))).isSameAs(RULES);
    assertThat(rules.of(new GroupKind("apps", "Deployment"))).isSameAs(RULES);
    assertThat(rules.of(new GroupKind("apps", "Other"))).isNull();
    assertThat(rules.of(new GroupKind("example.com", "Deployment"))).isNull();
    assertThat(made).hasValue(1);
  }

  @Test
  void everyGroupOfTheBuiltInRules_hasTheRulesOfItsKinds() {
    Map<String, Supplier<Map<GroupKind, KindRules>>> groups =
        BuiltInRules.groups(
            expression -> new DeviceExpressions.Finding.Accepted(),
            DefaultValidation.NONE,
            SchemaExpressions.NONE,
            PolicyExpressions.NONE,
            FeatureGates.DEFAULT);
    RulesByGroup rules = new RulesByGroup(groups);

    groups.forEach(
        (name, group) -> {
          assertThat(group.get().keySet()).as(name).anyMatch(kind -> kind.group().equals(name));
          for (GroupKind kind : group.get().keySet()) {
            assertThat(rules.of(kind)).as("%s", kind).isNotNull();
          }
        });
  }
}

package dev.keelson.server.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.cel.schema.ObjectExpressions;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.structural.validation.CustomExpressions;
import dev.keelson.schema.validation.apiextensions.SchemaExpressions;
import dev.keelson.testing.CustomSchemas;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExpressionMetersTest {

  private static final String SCHEMA =
      "{type: object, properties: {x: {type: integer}}, x-kubernetes-validations: [{rule:"
          + " 'self.x > 0'}]}";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ExpressionMeters meters = new ExpressionMeters(registry);

  private long count(String step) {
    return registry.get("apiserver_cel_" + step + "_duration").timer().count();
  }

  @Test
  void schemas_andObjects_areMeasured() {
    assertThat(count("compilation")).isZero();
    assertThat(count("evaluation")).isZero();
    SchemaExpressions definitions = meters.compilation(new DefinitionExpressions());
    CustomExpressions objects = meters.evaluation(new ObjectExpressions());
    CustomResourceVersion version = CustomSchemas.version(SCHEMA);

    assertThat(
            definitions.check(
                new SchemaExpressions.Request(
                    CustomSchemas.schema(SCHEMA), "spec", false, path -> false)))
        .isEmpty();
    assertThat(objects.areIn(version)).isTrue();
    assertThat(objects.validate(version, CustomSchemas.object("{x: 0}"), null, text -> {}))
        .hasSize(1);

    assertThat(count("compilation")).isEqualTo(1);
    assertThat(count("evaluation")).isEqualTo(1);
  }
}

package dev.keelson.schema.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.schema.validation.admissionregistration.PolicyExpressions;
import dev.keelson.schema.validation.apiextensions.DefaultValidation;
import dev.keelson.schema.validation.apiextensions.SchemaExpressions;
import dev.keelson.schema.validation.builtin.BuiltInRules;
import dev.keelson.testing.SmallestObjects;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of pods {@code --allow-privileged=false} rejects. */
@Timeout(120)
class PrivilegedPodsTest {
  private static final ObjectValidation VALIDATION =
      BuiltInRules.validation(
          TestExpressions::problem,
          DefaultValidation.NONE,
          SchemaExpressions.NONE,
          PolicyExpressions.NONE);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'privileged':true}"
            + "|spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster"
            + " policy",
        "{'windowsOptions':{'hostProcess':true}}"
            + "|spec: Forbidden: hostProcess containers are disallowed by cluster policy",
        "{'privileged':false,'windowsOptions':{'hostProcess':false}}|``"
      })
  void containers(String securityContext, String cause) {
    ResourceDefinition pods =
        SmallestObjects.resources().stream()
            .filter(each -> each.kind().equals("Pod"))
            .findFirst()
            .orElseThrow();
    StoredType type = Objects.requireNonNull(pods.storage());
    ApiObject pod =
        new ApiObject(
            Canonical.form(
                object(
                    "{'metadata':{'name':'a','namespace':'b'},'spec':{'hostNetwork':true,"
                        + "'containers':[{'name':'a','image':'b','securityContext':"
                        + securityContext
                        + "}]}}"),
                type.schema()));

    assertThat(
            VALIDATION
                .withoutPrivileged()
                .validateCreate(type.kind(), pods.gvk(), type.schema(), pod, warning -> {}))
        .extracting(FieldCause::summary)
        .isEqualTo(cause.isEmpty() ? java.util.List.of() : java.util.List.of(cause));
    assertThat(
            VALIDATION.validateCreate(type.kind(), pods.gvk(), type.schema(), pod, warning -> {}))
        .isEmpty();
  }

  private static MapNode object(String json) {
    return (MapNode) TreeJson.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}

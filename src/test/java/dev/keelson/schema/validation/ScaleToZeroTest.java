package dev.keelson.schema.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
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
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Autoscalers with {@code minReplicas: 0}, with and without the feature HPAScaleToZero. */
@Timeout(120)
class ScaleToZeroTest {

  private static final String EXTERNAL =
      "{'type':'External','external':{'metric':{'name':'q'},'target':{'type':'Value','value':'1'}}}";
  private static final String CPU =
      "{'type':'Resource','resource':{'name':'cpu','target':{'type':'Utilization',"
          + "'averageUtilization':50}}}";
  private static final String TOO_FEW =
      "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1";
  private static final String NO_METRIC =
      "spec.metrics: Forbidden: must specify at least one Object or External metric to support"
          + " scaling to zero replicas";

  private static final ResourceDefinition AUTOSCALERS =
      SmallestObjects.resources().stream()
          .filter(each -> each.gvk().version().equals("v2"))
          .filter(each -> each.kind().equals("HorizontalPodAutoscaler"))
          .findFirst()
          .orElseThrow();
  private static final StoredType TYPE = Objects.requireNonNull(AUTOSCALERS.storage());

  private static ObjectValidation validation(boolean feature) {
    return BuiltInRules.validation(
        TestExpressions::problem,
        DefaultValidation.NONE,
        SchemaExpressions.NONE,
        PolicyExpressions.NONE,
        FeatureGates.DEFAULT.with(Feature.HPA_SCALE_TO_ZERO, feature));
  }

  private static ApiObject autoscaler(int min, String metric) {
    String json =
        ("{'metadata':{'name':'a','namespace':'b','resourceVersion':'1'},'spec':{'scaleTargetRef':"
                + "{'apiVersion':'apps/v1','kind':'Deployment','name':'w'},'minReplicas':%d,"
                + "'maxReplicas':5,'metrics':[%s]}}")
            .formatted(min, metric)
            .replace('\'', '"');
    return new ApiObject(
        Canonical.form(
            (MapNode) TreeJson.read(json.getBytes(StandardCharsets.UTF_8)), TYPE.schema()));
  }

  private static List<String> onCreate(boolean feature, String metric) {
    return validation(feature)
        .validateCreate(
            TYPE.kind(), AUTOSCALERS.gvk(), TYPE.schema(), autoscaler(0, metric), warning -> {})
        .stream()
        .map(FieldCause::summary)
        .toList();
  }

  private static List<String> onUpdate(boolean feature, int before) {
    return validation(feature)
        .validateUpdate(
            TYPE.kind(),
            AUTOSCALERS.gvk(),
            TYPE.schema(),
            "",
            autoscaler(0, EXTERNAL),
            autoscaler(before, EXTERNAL),
            warning -> {})
        .stream()
        .map(FieldCause::summary)
        .toList();
  }

  @Test
  void zero_needsTheFeature_andAMetricThatIsNotOfPods() {
    assertThat(onCreate(true, EXTERNAL)).isEmpty();
    assertThat(onCreate(true, CPU)).containsExactly(NO_METRIC);
    assertThat(onCreate(false, EXTERNAL)).containsExactly(TOO_FEW);
    assertThat(onCreate(false, CPU)).containsExactlyInAnyOrder(TOO_FEW, NO_METRIC);
  }

  @Test
  void zeroThatIsStored_mayStay() {
    assertThat(onUpdate(true, 1)).isEmpty();
    assertThat(onUpdate(false, 0)).isEmpty();
    assertThat(onUpdate(false, 1)).containsExactly(TOO_FEW);
  }
}

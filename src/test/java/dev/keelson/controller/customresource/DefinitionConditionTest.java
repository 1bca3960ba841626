package dev.keelson.controller.customresource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What kube-apiserver's {@code SetCRDCondition} does. */
final class DefinitionConditionTest {

  private static Node json(String text) {
    return ObjectReader.untypedJson(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void set_replacesWhatItKnows_andKeepsOtherFields() {
    MapNode status =
        (MapNode)
            json(
                "{'conditions':[{'type':'Established','status':'True','lastTransitionTime':"
                    + "'2026-01-01T00:00:00Z','reason':'a','message':'b','observedGeneration':3}]}");

    MapNode same = new DefinitionCondition("Established", "True", "c", "d").set(status, "now");
    MapNode other = new DefinitionCondition("Established", "False", "c", "d").set(status, "now");

    assertThat(same)
        .isEqualTo(
            json(
                "{'conditions':[{'type':'Established','status':'True','lastTransitionTime':"
                    + "'2026-01-01T00:00:00Z','reason':'c','message':'d','observedGeneration':3}]}"));
    assertThat(other)
        .isEqualTo(
            json(
                "{'conditions':[{'type':'Established','status':'False','lastTransitionTime':"
                    + "'now','reason':'c','message':'d','observedGeneration':3}]}"));
  }
}

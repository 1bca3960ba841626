package dev.keelson.registry.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cases of TestValidateNode that are about the annotation. */
@Timeout(120)
class NodeStrategyTest {

  private static final String AVOIDED = "scheduler.alpha.kubernetes.io/preferAvoidPods";
  private static final String FIRST = "metadata.annotations." + AVOIDED + "[0].PodSignature";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``| ``",
        "null | ``",
        "{} | ``",
        "{'preferAvoidPods':[{'podSignature':{'podController':{'kind':'ReplicationController',"
            + "'name':'foo','controller':true}},'reason':'r'}]} | ``",
        "{'preferAvoidPods':[{'reason':'r','message':'m'}]} | " + FIRST + ": Required value",
        "{'preferAvoidPods':[{'podSignature':{'podController':{'controller':false}}}]} | "
            + FIRST
            + ".PodController.Controller: Invalid value: false: must point to a controller",
        "[] | metadata.annotations.AvoidPods: Invalid value: '"
            + AVOIDED
            + "': json: cannot unmarshal array into Go value of type v1.AvoidPods",
        "{ | metadata.annotations.AvoidPods: Invalid value: '"
            + AVOIDED
            + "': unexpected end of JSON input",
      })
  void podsToAvoid_haveAController(String annotation, String expected) {
    ApiObject node =
        new ApiObject(
            MapNode.of(
                "metadata",
                MapNode.of(
                    "annotations", MapNode.of(AVOIDED, Node.text(annotation.replace('\'', '"'))))));

    assertThat(new NodeStrategy().validate(node).stream().map(FieldCause::summary))
        .containsExactlyElementsOf(
            expected.isEmpty() ? List.of() : List.of(expected.replace('\'', '"')));
  }
}

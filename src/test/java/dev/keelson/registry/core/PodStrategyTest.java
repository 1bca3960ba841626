package dev.keelson.registry.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cases of Kubernetes' own tests of its strategies for pods. */
@Timeout(120)
class PodStrategyTest {

  private final PodStrategy strategy =
      new PodStrategy(InstantSource.fixed(Instant.parse("2026-01-01T00:00:00.5Z")));

  /** As kube-apiserver: clients reckon from it for how long a pod has been held back. */
  @Test
  void podWithGates_tellsSinceWhenItIsHeldBack() {
    ApiObject pod = strategy.prepareForCreate(pod("{'schedulingGates':[{'name':'a'}]}", "{}"));

    assertThat(pod.root().map("status").maps("conditions"))
        .singleElement()
        .extracting(condition -> condition.text("lastTransitionTime"))
        .isEqualTo("2026-01-01T00:00:00Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'qosClass':'Guaranteed'} | {} | {'qosClass':'Guaranteed'}",
        "{'qosClass':'Guaranteed'} | {'qosClass':'Burstable'} | {'qosClass':'Burstable'}",
        "{'observedGeneration':20} | {} | {'observedGeneration':20}",
        "{'observedGeneration':20} | {'observedGeneration':21} | {'observedGeneration':21}",
        "{'conditions':[{'type':'A'}]} | {'conditions':[{'type':'A'}]}"
            + "| {'conditions':[{'type':'A'}]}",
        "{'conditions':[{'type':'A','observedGeneration':20}]} | {'conditions':[{'type':'A'}]}"
            + "| {'conditions':[{'type':'A','observedGeneration':20}]}",
        "{'conditions':[{'type':'A'}]} | {'conditions':[{'type':'A','observedGeneration':20}]}"
            + "| {'conditions':[{'type':'A','observedGeneration':20}]}",
        "{'conditions':[{'type':'A','observedGeneration':1}]}"
            + "| {'conditions':[{'type':'B','observedGeneration':2}]}"
            + "| {'conditions':[{'type':'B','observedGeneration':2}]}",
        "{'conditions':[{'type':'A','observedGeneration':1}]} | {'conditions':[{'type':'B'}]}"
            + "| {'conditions':[{'type':'B'}]}",
        // several of one type belong together by their order
        "{'conditions':[{'type':'A'},{'type':'A','observedGeneration':1},"
            + "{'type':'A','observedGeneration':2}]}"
            + "| {'conditions':[{'type':'A','observedGeneration':1},{'type':'A'},"
            + "{'type':'A','observedGeneration':2},{'type':'A'}]}"
            + "| {'conditions':[{'type':'A','observedGeneration':1},"
            + "{'type':'A','observedGeneration':1},{'type':'A','observedGeneration':2},"
            + "{'type':'A'}]}",
      })
  void statusUpdate_keepsWhatItLacks(String old, String sent, String kept) {
    assertThat(strategy.prepareForUpdate(pod("{}", sent), pod("{}", old)))
        .isEqualTo(pod("{}", kept));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        "{'nodeName':'n'} | {'phase':'Pending'} | 30 | 30",
        "{'nodeName':'n'} | {'phase':'Failed'} | 30 | 0",
        "{'nodeName':'n'} | {'phase':'Succeeded'} | 30 | 0",
        "{} | {'phase':'Pending'} | 30 | 0",
        "{} | {} | 30 | 0",
        "{'nodeName':'n','terminationGracePeriodSeconds':7} | {} | - | 7",
        "{'nodeName':'n','terminationGracePeriodSeconds':7} | {} | 3 | 3",
        "{'nodeName':'n','terminationGracePeriodSeconds':7} | {} | 0 | 0",
      })
  void gracePeriod_isOfPodsThatAKubeletRuns(
      String spec, String status, Long requested, long expected) {
    assertThat(strategy.gracePeriodSeconds(pod(spec, status), requested))
        .isEqualTo(OptionalLong.of(expected));
  }

  private static ApiObject pod(String spec, String status) {
    return new ApiObject(
        (MapNode)
            TreeJson.read(
                ("{'spec':" + spec + ",'status':" + status + "}")
                    .replace('\'', '"')
                    .getBytes(StandardCharsets.UTF_8)));
  }
}

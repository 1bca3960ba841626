package dev.keelson.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import org.junit.jupiter.api.Test;

final class PodFactsTest {

  private static PodFacts pod(int container, int sidecar, int init) {
    return PodFacts.of(
        new ApiObject(
            CustomTypes.tree(
                ("{'metadata':{'name':'p','namespace':'default'},'spec':{'initContainers':["
                        + "{'name':'side','restartPolicy':'Always'},{'name':'init'}]},'status':{"
                        + "'containerStatuses':[{'name':'main','restartCount':%d}],"
                        + "'initContainerStatuses':[{'name':'side','restartCount':%d},"
                        + "{'name':'init','restartCount':%d}]}}")
                    .formatted(container, sidecar, init))));
  }

  @Test
  void restartsOfSidecars_countAfterThoseOfContainers() {
    assertThat(pod(1, 0, 0).restarts()).isGreaterThan(pod(0, 9, 0).restarts());
    assertThat(pod(1, 2, 0).restarts()).isGreaterThan(pod(1, 1, 0).restarts());
    assertThat(pod(1, 1, 5).restarts()).isEqualTo(pod(1, 1, 0).restarts());
  }

  @Test
  void podThatAKubeletHasEvicted_isKnown() {
    ApiObject evicted =
        new ApiObject(
            CustomTypes.tree(
                "{'metadata':{'name':'p','namespace':'default'},'spec':{},'status':{"
                    + "'phase':'Failed','reason':'Evicted'}}"));

    assertThat(PodFacts.of(evicted).evicted()).isTrue();
    assertThat(pod(0, 0, 0).evicted()).isFalse();
  }
}

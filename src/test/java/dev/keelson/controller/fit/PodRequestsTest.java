package dev.keelson.controller.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PodRequestsTest {

  private static String container(String cpu) {
    return "{'name':'c','resources':{'requests':{'cpu':'" + cpu + "'}}}";
  }

  private static String sidecar(String cpu) {
    return "{'name':'c','restartPolicy':'Always','resources':{'requests':{'cpu':'" + cpu + "'}}}";
  }

  /** Rows of containers, init containers (with + a sidecar), requests of the pod, overhead. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "100m 200m, '', '', '', 300",
        "100m, 500m, '', '', 500",
        "400m, 500m 300m, '', '', 500",
        "400m, +200m 300m, '', '', 600",
        "100m, +200m 300m, '', '', 500",
        "100m, 300m +200m, '', '', 300",
        "100m, +100m +100m 250m, '', '', 450",
        "1, '', 250m, '', 250",
        "1, '', '', 50m, 1050",
        "0.0005, '', '', '', 1",
        "1k, '', '', '', 1000000",
      })
  void requests_areThoseOfTheDearestMoment(
      String containers, String inits, String whole, String overhead, long milliCpu) {
    StringBuilder spec = new StringBuilder("{'containers':[");
    spec.append(list(containers)).append("],'initContainers':[").append(list(inits)).append(']');
    if (!whole.isEmpty()) {
      spec.append(",'resources':{'requests':{'cpu':'").append(whole).append("'}}");
    }
    if (!overhead.isEmpty()) {
      spec.append(",'overhead':{'cpu':'").append(overhead).append("'}");
    }

    assertThat(PodRequests.of(CustomTypes.tree(spec.append('}').toString())).milliCpu())
        .isEqualTo(milliCpu);
  }

  private static String list(String texts) {
    StringBuilder all = new StringBuilder();
    for (String text : texts.split(" ", -1)) {
      if (!text.isEmpty()) {
        all.append(all.isEmpty() ? "" : ",")
            .append(text.startsWith("+") ? sidecar(text.substring(1)) : container(text));
      }
    }
    return all.toString();
  }

  @Test
  void hugePages_mayBeRequestedForAPodAsAWhole() {
    Resources requests =
        PodRequests.of(
            CustomTypes.tree(
                "{'containers':[{'resources':{'requests':{'cpu':'1','hugepages-2Mi':'4Mi'}}}],"
                    + "'resources':{'requests':{'hugepages-2Mi':'8Mi','hugepages-1Gi':'1Gi'}}}"));

    assertThat(requests.milliCpu()).isEqualTo(1000);
    assertThat(requests.others())
        .isEqualTo(Map.of("hugepages-2Mi", 8L << 20, "hugepages-1Gi", 1L << 30));
  }

  /** What a container does not mention counts a little; what it says to be nothing does not. */
  @Test
  void containersThatRequestNothing_areScored() {
    MapNode spec =
        CustomTypes.tree(
            "{'containers':[{},{'resources':{'requests':{'cpu':'0','memory':'1Mi'}}},"
                + "{'resources':{'requests':{'cpu':'1'}}}]}");

    Resources scored = PodRequests.scored(spec, PodRequests.of(spec));

    assertThat(scored.milliCpu()).isEqualTo(1100);
    assertThat(scored.memory()).isEqualTo(401L << 20);
  }

  @Test
  void containersThatRequestBoth_areScoredByTheirRequests() {
    MapNode spec =
        CustomTypes.tree(
            "{'containers':[{'resources':{'requests':{'cpu':'1','memory':'1Mi'}}}],"
                + "'initContainers':[{'resources':{'requests':{'cpu':'2','memory':'0'}}}]}");
    Resources requests = PodRequests.of(spec);

    assertThat(PodRequests.scored(spec, requests)).isSameAs(requests);

    MapNode silent =
        CustomTypes.tree(
            "{'containers':[{'resources':{'requests':{'cpu':'1','memory':'1Mi'}}}],"
                + "'initContainers':[{'resources':{'requests':{'cpu':'2'}}}]}");
    assertThat(PodRequests.scored(silent, PodRequests.of(silent)).memory()).isEqualTo(200L << 20);
  }
}

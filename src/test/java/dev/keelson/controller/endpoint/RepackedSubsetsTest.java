package dev.keelson.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.testing.CustomTypes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases of {@code RepackSubsets} in Kubernetes' {@code pkg/api/v1/endpoints/util_test.go}. */
final class RepackedSubsetsTest {

  private static List<Node> subsets(String json) {
    return CustomTypes.tree("{'s':" + json + "}").items("s");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // the same addresses under one port are one subset, in the order of addresses
        "[{'addresses':[{'ip':'10.1.0.2'}],'ports':[{'port':1}]},"
            + "{'addresses':[{'ip':'10.1.0.1'},{'ip':'10.1.0.2'}],'ports':[{'port':1}]}] |"
            + "[{'addresses':[{'ip':'10.1.0.1'},{'ip':'10.1.0.2'}],'ports':[{'port':1}]}]",
        // not ready counts for more than ready
        "[{'addresses':[{'ip':'10.1.0.1'}],'ports':[{'port':1}]},"
            + "{'notReadyAddresses':[{'ip':'10.1.0.1'}],'ports':[{'port':1}]}] |"
            + "[{'notReadyAddresses':[{'ip':'10.1.0.1'}],'ports':[{'port':1}]}]",
        // one address of two pods stays two; without ports there still is a subset
        "[{'addresses':[{'ip':'10.1.0.1','targetRef':{'uid':'b'}},"
            + "{'ip':'10.1.0.1','targetRef':{'uid':'a'}},{'ip':'10.1.0.1'}]}] |"
            + "[{'addresses':[{'ip':'10.1.0.1'},{'ip':'10.1.0.1','targetRef':{'uid':'a'}},"
            + "{'ip':'10.1.0.1','targetRef':{'uid':'b'}}]}]",
        // nobody offers the port
        "[{'ports':[{'port':1}]}] | []",
      })
  void subsets_haveEachCombinationOfAddressesOnce(String given, String repacked) {
    assertThat(RepackedSubsets.of(subsets(given))).isEqualTo(subsets(repacked));
    assertThat(RepackedSubsets.of(subsets(repacked))).isEqualTo(subsets(repacked));
  }

  @Test
  void portsOfOneAddress_areInOneSubset_inOneOrder() {
    String ports = "{'name':'a','port':1},{'name':'b','port':2},{'name':'c','port':3}";
    String turned = "{'name':'c','port':3},{'name':'b','port':2},{'name':'a','port':1}";
    String form = "[{'addresses':[{'ip':'10.1.0.1'}],'ports':[%s]}]";
    String apart =
        "[{'addresses':[{'ip':'10.1.0.1'}],'ports':[{'name':'b','port':2}]},"
            + "{'addresses':[{'ip':'10.1.0.1'}],'ports':[{'name':'c','port':3},{'name':'a','port':1}]}]";

    List<Node> one = RepackedSubsets.of(subsets(form.formatted(ports)));

    assertThat(one).hasSize(1);
    assertThat(Node.maps(one).getFirst().items("ports")).hasSize(3);
    assertThat(RepackedSubsets.of(subsets(form.formatted(turned)))).isEqualTo(one);
    assertThat(RepackedSubsets.of(subsets(apart))).isEqualTo(one);
  }
}

package dev.keelson.controller.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Cases of {@code podToEndpoint} and of {@code trafficdist} in {@code k8s.io/endpointslice}. */
final class SliceFormTest {

  private static ServiceFacts service(String spec) {
    return ServiceFacts.of(
        new ApiObject(
            CustomTypes.tree(
                "{'metadata':{'name':'web','namespace':'default','uid':'u'},'spec':{"
                    + spec
                    + "'clusterIP':'10.0.0.9','selector':{'app':'web'},'ipFamilies':['IPv4']}}")));
  }

  private static MapNode endpoint(ServiceFacts service, String meta, @Nullable String zone) {
    EndpointPod pod =
        EndpointPod.of(
            new ApiObject(
                CustomTypes.tree(
                    "{'metadata':{'name':'p','namespace':'default','uid':'v'"
                        + meta
                        + "},'spec':{'nodeName':'n1'},'status':{'podIP':'10.1.0.1','conditions':["
                        + "{'type':'Ready','status':'True'}]}}")));
    return SliceForm.endpoint(service, pod, "10.1.0.1", zone);
  }

  private static final String DELETING = ",'deletionTimestamp':'2026-01-01T00:00:00Z'";

  @Test
  void podThatEnds_servesAndIsNotReady() {
    assertThat(endpoint(service(""), DELETING, null).map("conditions"))
        .isEqualTo(CustomTypes.tree("{'ready':false,'serving':true,'terminating':true}"));
  }

  @Test
  void podThatEnds_isReadyForAServiceThatPublishesAll() {
    MapNode endpoint = endpoint(service("'publishNotReadyAddresses':true,"), DELETING, null);

    assertThat(endpoint.map("conditions"))
        .isEqualTo(CustomTypes.tree("{'ready':true,'serving':true,'terminating':true}"));
  }

  @Test
  void hints_areOfZoneAndNode() {
    ServiceFacts zones = service("'trafficDistribution':'PreferSameZone',");
    ServiceFacts nodes = service("'trafficDistribution':'PreferSameNode',");

    assertThat(endpoint(zones, "", "z1").get("hints"))
        .isEqualTo(CustomTypes.tree("{'forZones':[{'name':'z1'}]}"));
    assertThat(endpoint(zones, "", "").has("hints")).isFalse();
    assertThat(endpoint(zones, DELETING, "z1").has("hints")).isFalse();
    assertThat(endpoint(nodes, "", "z1").get("hints"))
        .isEqualTo(CustomTypes.tree("{'forZones':[{'name':'z1'}],'forNodes':[{'name':'n1'}]}"));
    Node withoutZone = CustomTypes.tree("{'forNodes':[{'name':'n1'}]}");
    assertThat(endpoint(nodes, "", "").get("hints")).isEqualTo(withoutZone);
  }
}

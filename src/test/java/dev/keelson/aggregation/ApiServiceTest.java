package dev.keelson.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.api.GroupVersion;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.GroupPriority;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ApiServiceTest {

  private static ApiService service(String version, String group, int first, int second) {
    return new ApiService(
        version + "." + group,
        "",
        "",
        new GroupVersion(group, version),
        new GroupPriority(first, second),
        "",
        null,
        true);
  }

  @Test
  void of_remote_readsItsService() {
    ApiObject object =
        object(
            """
            {'metadata':{'name':'v1.g.example','uid':'u',
              'labels':{'kube-aggregator.kubernetes.io/automanaged':'true'}},
             'spec':{'group':'g.example','version':'v1','groupPriorityMinimum':7,'versionPriority':8,
              'caBundle':'AAAA','service':{'namespace':'n','name':'s','port':8443}},
             'status':{'conditions':[{'type':'Other','status':'False'},
              {'type':'Available','status':'True'}]}}
            """);

    assertThat(ApiService.of(object, "12"))
        .isEqualTo(
            new ApiService(
                "v1.g.example",
                "u",
                "12",
                new GroupVersion("g.example", "v1"),
                new GroupPriority(7, 8),
                "true",
                new Backend("n", "s", 8443, "AAAA", false),
                true));
  }

  @Test
  void of_theLeast_hasDefaults() {
    ApiService least =
        ApiService.of(object("{'spec':{'service':{'namespace':'n','name':'s'}}}"), "");

    assertThat(least.available()).isFalse();
    assertThat(least.backend())
        .satisfies(backend -> assertThat(backend.port()).isEqualTo(443))
        .satisfies(backend -> assertThat(backend.serverName()).isEqualTo("s.n.svc"));
  }

  private static ApiObject object(String json) {
    return new ApiObject(
        (MapNode)
            ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void sorted_byGroupThenVersion_asKubeAggregator() {
    List<ApiService> services = new ArrayList<>();
    services.add(service("v1", "b", 10, 100));
    services.add(service("v1", "a", 10, 100));
    services.add(service("v1", "first", 20_000, 1));
    services.add(service("v1beta1", "many", 5, 100));
    services.add(service("v2", "many", 5, 100));
    services.add(service("v10", "many", 5, 100));
    services.add(service("foo", "many", 5, 100));
    services.add(service("v1alpha1", "many", 5, 101));
    // one version lifts the whole group
    services.add(service("v1", "lifted", 1, 5));
    services.add(service("v2", "lifted", 15, 1));
    Collections.shuffle(services, new Random(5));

    assertThat(ApiService.sorted(services).toString())
        .isEqualTo(
            "{first=[first/v1], lifted=[lifted/v1, lifted/v2], a=[a/v1], b=[b/v1], "
                + "many=[many/v1alpha1, many/v10, many/v2, many/v1beta1, many/foo]}");
  }

  @Test
  void priorities_ofTheBuiltInGroups_areTheirOrderInTheTable() {
    ResourceCatalog.Snapshot served =
        new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct)).snapshot();
    List<ApiService> services = new ArrayList<>();
    Set<String> groups = new LinkedHashSet<>();
    for (GroupVersion version : served.groupVersions()) {
      if (!version.group().equals("apiregistration.k8s.io")) {
        GroupPriority priority = GroupPriority.of(version);
        assertThat(priority).as(version.toString()).isNotEqualTo(GroupPriority.CUSTOM);
        services.add(
            service(version.version(), version.group(), priority.group(), priority.version()));
        groups.add(version.group());
      }
    }

    assertThat(ApiService.sorted(services).keySet()).containsExactlyElementsOf(groups);
    assertThat(ApiService.sorted(services).values().stream().flatMap(List::stream))
        .containsExactlyElementsOf(
            served.groupVersions().stream()
                .filter(version -> !version.group().equals("apiregistration.k8s.io"))
                .toList());
  }
}

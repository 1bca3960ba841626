package dev.keelson.controller.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.controller.aggregation.AutoRegistration.Action;
import dev.keelson.controller.aggregation.AutoRegistration.Managed;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.schema.CustomResource;
import dev.keelson.schema.CustomResourceRows;
import dev.keelson.schema.GroupPriority;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class AutoRegistrationTest {

  private static final String VERSION = "apiregistration.k8s.io/v1";

  private final LocalApi api;
  private final LocalResourceClient client;
  private final ApiServices services = new ApiServices();
  private final List<ResourceDefinition> builtIn;
  private AutoRegistration registration;

  AutoRegistrationTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
    builtIn = List.copyOf(api.catalog().snapshot().all());
    registration = restarted();
  }

  @AfterEach
  void close() {
    api.close();
  }

  private AutoRegistration restarted() {
    return new AutoRegistration(api.catalog(), services, client, api.clock());
  }

  /** Passes all stored APIServices, then runs. */
  private boolean run() {
    read();
    boolean again = registration.run();
    read();
    return again;
  }

  private void read() {
    services.clear();
    for (String name : names()) {
      ApiObject found = api.get(VERSION, "apiservices", "", name);
      services.put(ApiService.of(found, found.meta().resourceVersion()));
    }
    services.publish(version -> ApiServices.Origin.BUILT_IN);
  }

  private List<String> names() {
    List<String> names = new ArrayList<>(List.of("v1.example.com", "v2.example.com", "v9.gone"));
    api.catalog().snapshot().groupVersions().forEach(v -> names.add(ApiService.nameOf(v)));
    names.removeIf(name -> stored(name).isEmpty());
    return names.stream().distinct().toList();
  }

  private Optional<ApiObject> stored(String name) {
    return client.get(AutoRegistration.API_SERVICES, "", name);
  }

  private void serve(String... versions) {
    List<ResourceDefinition> all = new ArrayList<>(builtIn);
    List<Node> declared = new ArrayList<>();
    for (String version : versions) {
      declared.add(
          MapNode.of("name", Node.text(version))
              .with("served", Node.Bool.TRUE)
              .with("storage", Node.Bool.of(declared.isEmpty())));
    }
    MapNode names =
        MapNode.of("plural", Node.text("things"))
            .with("kind", Node.text("Thing"))
            .with("listKind", Node.text("ThingList"))
            .with("singular", Node.text("thing"));
    MapNode definition =
        MapNode.of(
                "spec",
                MapNode.of("group", Node.text("example.com"))
                    .with("scope", Node.text("Namespaced"))
                    .with("names", names)
                    .with("versions", new Node.Items(declared)))
            .with("status", MapNode.of("acceptedNames", names));
    if (versions.length > 0) {
      all.addAll(
          new CustomResourceRows(ProtoSchemas.fromClassPath()::struct)
              .of(new CustomResource("things.example.com", "u", () -> definition), definition));
    }
    api.catalog().replaceAll(all);
  }

  private void create(String name, String label, String more) {
    int dot = name.indexOf('.');
    ApiObject unused =
        api.create(
            VERSION,
            "apiservices",
            "",
            "{'metadata':{'name':'"
                + name
                + "','labels':{'kube-aggregator.kubernetes.io/automanaged':'"
                + label
                + "'}},'spec':{'group':'"
                + name.substring(dot + 1)
                + "','version':'"
                + name.substring(0, dot)
                + "','groupPriorityMinimum':5,'versionPriority':5"
                + more
                + "}}");
  }

  @Test
  void run_atFirst_registersEveryGroupVersionButItsOwn() {
    assertThat(run()).isFalse();

    for (GroupVersion version : api.catalog().snapshot().groupVersions()) {
      Optional<ApiObject> found = stored(ApiService.nameOf(version));
      assertThat(found.isPresent())
          .as(version.toString())
          .isEqualTo(!version.group().equals("apiregistration.k8s.io"));
    }
    assertThat(LocalApi.json(api.get(VERSION, "apiservices", "", "v2.autoscaling").root()))
        .contains("'kube-aggregator.kubernetes.io/automanaged':'onstart'")
        .contains(
            "'spec':{'group':'autoscaling','version':'v2',"
                + "'groupPriorityMinimum':17500,'versionPriority':30}")
        .contains("'reason':'Local'");
    assertThat(services.snapshot()).isSameAs(ApiServices.Snapshot.LOCAL);
  }

  @Test
  void run_afterARestart_writesNothing() {
    serve("v1");
    boolean first = run();
    List<ApiService> before = List.copyOf(services.all());

    registration = restarted();
    boolean again = run();

    assertThat(first || again).isFalse();
    // with their resourceVersions
    assertThat(services.all()).containsExactlyInAnyOrderElementsOf(before);
  }

  @Test
  void run_withCustomResources_followsThem() {
    serve("v1", "v2");
    assertThat(run()).isFalse();

    assertThat(stored("v1.example.com").orElseThrow().root().map("spec").get("versionPriority"))
        .isEqualTo(new Node.Int(100));
    assertThat(stored("v2.example.com").orElseThrow().meta().labels())
        .containsEntry(ApiService.MANAGED_LABEL, "true");

    serve("v2");
    assertThat(run()).as("a client may register its own v1 at once").isFalse();

    assertThat(stored("v1.example.com")).isEmpty();
    assertThat(stored("v2.example.com")).isPresent();
  }

  @Test
  void run_withAnApiServiceOfATypeThatThisServerHasNotServed_deletesItAfterAWhile() {
    create("v1.example.com", "true", "");

    assertThat(run()).as("another server may serve it already").isTrue();
    assertThat(stored("v1.example.com")).isPresent();
    api.clock().advance(Duration.ofSeconds(1));
    assertThat(run()).isFalse();

    assertThat(stored("v1.example.com")).isEmpty();
  }

  @Test
  void run_whenADefinitionComesLate_keepsItsApiService() {
    create("v1.example.com", "true", "");
    assertThat(run()).isTrue();
    serve("v1");
    api.clock().advance(Duration.ofSeconds(2));

    assertThat(run()).isFalse();

    assertThat(services.find("v1.example.com"))
        .satisfies(found -> assertThat(found.priority()).isEqualTo(GroupPriority.CUSTOM));
  }

  @Test
  void run_whenAClientPointsOneAtAServerBeforeItIsDeleted_keepsIt() {
    create("v1.example.com", "true", "");
    assertThat(run()).isTrue();
    ApiObject remote =
        client
            .change(
                AutoRegistration.API_SERVICES,
                "",
                "v1.example.com",
                found ->
                    found.with(
                        "spec",
                        found
                            .root()
                            .map("spec")
                            .with("insecureSkipTLSVerify", Node.Bool.TRUE)
                            .with(
                                "service",
                                MapNode.of("namespace", Node.text("n"))
                                    .with("name", Node.text("s")))))
            .orElseThrow();
    api.clock().advance(Duration.ofSeconds(2));

    assertThat(run()).isFalse();

    assertThat(stored("v1.example.com").map(found -> found.meta().uid()))
        .contains(remote.meta().uid());
    serve("v1");
    assertThat(run()).isFalse();
    assertThat(services.snapshot().remotes()).isEmpty();
  }

  @Test
  void run_leavesWhatIsNotManaged() {
    create("v1.example.com", "", ",'service':{'namespace':'n','name':'s'}");
    create("v9.gone", "other", "");
    serve("v1");

    assertThat(run()).isFalse();

    assertThat(services.snapshot().remotes())
        .containsOnlyKeys(new GroupVersion("example.com", "v1"));
    assertThat(stored("v9.gone")).isPresent();
  }

  @Test
  void run_afterABuiltInOneWasDeleted_doesNotBringItBack() {
    boolean first = run();
    client.delete(
        new GroupVersionResource("apiregistration.k8s.io", "v1", "apiservices"),
        "",
        "v1.apps",
        new DeleteRequest("", "", DeleteRequest.Dependents.DEFAULT));

    assertThat(first || run()).isFalse();
    assertThat(stored("v1.apps")).isEmpty();

    registration = restarted();
    assertThat(run()).isFalse();
    assertThat(stored("v1.apps")).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    // wanted, current (- for none), as wanted, at start, synced: the table of kube-aggregator
    "no,     -,       false, false, false, none", // 2A
    "start,  -,       false, false, false, create", // 2B
    "start,  -,       false, false, true,  none",
    "always, -,       false, false, true,  create", // 2C
    "no,     no,      false, true,  false, none", // 3A
    "start,  no,      false, true,  false, none", // 3B
    "always, no,      false, true,  false, none", // 3C
    "no,     start,   false, false, false, none", // 4A
    "start,  start,   false, false, false, none", // 4B
    "always, start,   false, false, false, none", // 4C
    "no,     start,   false, true,  false, delete", // 5A
    "no,     start,   false, true,  true,  none",
    "start,  start,   false, true,  false, update", // 5B
    "start,  start,   false, true,  true,  none",
    "always, start,   false, true,  false, update", // 5C
    "always, start,   false, true,  true,  none",
    "start,  start,   true,  true,  false, none",
    "no,     always,  false, true,  true,  delete", // 6A
    "no,     always,  false, false, false, delete",
    "start,  always,  false, true,  false, update", // 6B
    "start,  always,  false, true,  true,  none",
    "always, always,  false, false, true,  update", // 6C
    "always, always,  true,  true,  true,  none",
  })
  void decide_followsTheTableOfKubeAggregator(
      String wanted,
      String current,
      boolean asWanted,
      boolean atStart,
      boolean synced,
      String action) {
    assertThat(AutoRegistration.decide(managed(wanted), found(current), asWanted, atStart, synced))
        .isEqualTo(Action.valueOf(action.toUpperCase(Locale.ROOT)));
  }

  private static Managed managed(String text) {
    return switch (text) {
      case "start" -> Managed.ON_START;
      case "always" -> Managed.ALWAYS;
      default -> Managed.NO;
    };
  }

  private static @Nullable ApiService found(String text) {
    if (text.equals("-")) {
      return null;
    }
    String label =
        switch (text) {
          case "start" -> "onstart";
          case "always" -> "true";
          default -> "";
        };
    return new ApiService(
        "v1.g", "u", "1", new GroupVersion("g", "v1"), GroupPriority.CUSTOM, label, null, true);
  }
}

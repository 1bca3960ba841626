package dev.keelson.registry.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadingTest extends RegistryTest {

  ReadingTest(@TempDir Path directory) {
    super(directory);
  }

  @BeforeEach
  void create() {
    pod("default", "a", "{'tier':'web','v':'1'}", "{'nodeName':'n1','restartPolicy':'Never'}");
    pod("default", "b", "{'tier':'db','v':'2'}", "{'nodeName':'n2','hostNetwork':true}");
    pod("default", "c", "{}", "{}");
    pod("other", "a", "{'tier':'web'}", "{'nodeName':'n1'}");
    Collection pods = api.collection("v1", "pods", "default");
    StoredObject running =
        api.registry()
            .replaceStatus(
                pods,
                "a",
                api.get("v1", "pods", "default", "a")
                    .with("status", MapNode.of("phase", Node.text("Running"))),
                WriteOptions.PERSIST);
    assertThat(running.revision()).isPositive();
  }

  @ParameterizedTest(name = "{0} labels={1} fields={2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          default | ''          | ''                                     | a b c
          ''      | ''          | ''                                     | a b c a
          other   | ''          | ''                                     | a
          nowhere | ''          | ''                                     | ''
          default | tier=web    | ''                                     | a
          ''      | tier=web    | ''                                     | a a
          default | '!tier'     | ''                                     | c
          default | 'tier in (web,db),v!=1' | ''                         | b
          default | ''          | metadata.name=b                        | b
          default | ''          | metadata.name!=b                       | a c
          ''      | ''          | 'metadata.name=a,metadata.namespace=other' | a
          default | ''          | metadata.namespace=other               | ''
          ''      | ''          | spec.nodeName=n1                       | a a
          default | ''          | spec.nodeName=                         | c
          default | ''          | status.phase=Running                   | a
          default | ''          | status.phase!=Running                  | b c
          default | ''          | spec.hostNetwork=true                  | b
          default | ''          | spec.hostNetwork=false                 | a c
          default | tier        | spec.nodeName=n2                       | b
          default | tier=web    | spec.nodeName=n2                       | ''
          """)
  void list_selects(String namespace, String labels, String fields, String expected) {
    Listing listing = list("v1", "pods", namespace, labels, fields);

    assertThat(
            String.join(
                " ", listing.all().stream().map(item -> api.served(item).meta().name()).toList()))
        .isEqualTo(expected);
    assertThat(listing.revision()).isEqualTo(api.store().revision());
  }

  @Test
  void list_byAFieldThatTheTypeDoesNotOffer_saysSo() {
    ApiException ofPods =
        refusal(Reason.BAD_REQUEST, () -> list("v1", "pods", "default", "", "spec.x=1"));
    ApiException ofMaps =
        refusal(Reason.BAD_REQUEST, () -> list("v1", "configmaps", "default", "", "data.x=1"));

    assertThat(ofPods).hasMessage("field label not supported: spec.x");
    assertThat(ofMaps)
        .hasMessage(
            "\"data.x\" is not a known field selector: only \"metadata.name\","
                + " \"metadata.namespace\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"metadata.name=v", "metadata.namespace="})
  void list_ofClusterScopedObjects_selectsByNameAndByTheirEmptyNamespace(String fields) {
    api.create("v1", "persistentvolumes", "", "{'metadata':{'name':'v'}}");

    assertThat(list("v1", "persistentvolumes", "", "", fields + ",metadata.name=v").all())
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"colour=red, ''", "'', spec.nodeName=n1", "colour=red, spec.nodeName=n1"})
  void list_ofManyObjectsInParts_isOneSnapshot_withAnIndexOrWithout(String labels, String fields) {
    for (int i = 0; i < 300; i++) {
      boolean mine = i % 3 == 0;
      pod(
          i % 2 == 0 ? "default" : "other",
          "many-%03d".formatted(i),
          mine ? "{'colour':'red'}" : "{'colour':'blue'}",
          mine ? "{'nodeName':'n1'}" : "{'nodeName':'n2'}");
    }
    ListQuery query =
        new ListQuery(
            LabelSelector.parse("name!=x" + (labels.isEmpty() ? "" : "," + labels)),
            FieldSelector.parse("metadata.name!=a," + fields));
    Collection everywhere = api.collection("v1", "pods", "");
    List<String> whole = names(api.registry().list(everywhere, query, ListPage.WHOLE));
    assertThat(whole).hasSize(100);

    List<String> inParts = new ArrayList<>();
    String token = "";
    int part = 0;
    do {
      Listing listing =
          api.registry().list(everywhere, query, new ListPage(ReadVersion.NEWEST, 7, token));
      inParts.addAll(names(listing));
      token = listing.token();
      assertThat(listing.remaining()).isNull();
      // what changes between the parts shows in none of them
      pod("default", "new-" + part, "{'colour':'red'}", "{'nodeName':'n1'}");
      api.registry()
          .delete(
              api.collection("v1", "pods", "default"),
              "many-%03d".formatted(part * 6),
              DeleteQuery.UNCONDITIONAL.withGraceSeconds(0),
              WriteOptions.PERSIST);
      part++;
    } while (!token.isEmpty());

    assertThat(inParts).isEqualTo(whole);
    assertThat(names(api.registry().list(everywhere, query, ListPage.WHOLE)))
        .hasSize(100)
        .contains("new-3");
  }

  /** The cases of Kubernetes' RunTestList with a filter and a limit. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tier=db  | ''               | 1 | b;-
          tier=db  | ''               | 2 | b
          tier     | ''               | 1 | a;b;-
          tier     | ''               | 2 | a b;-
          tier     | ''               | 3 | a b
          ''       | metadata.name=b  | 1 | b
          ''       | metadata.name!=b | 1 | a;c
          ''       | metadata.name!=c | 2 | a b;-
          """)
  void list_goesOn_whileObjectsFollowThatMayNotMatch(
      String labels, String fields, int limit, String parts) {
    Collection pods = api.collection("v1", "pods", "default");
    ListQuery query = new ListQuery(LabelSelector.parse(labels), FieldSelector.parse(fields));

    List<String> got = new ArrayList<>();
    String token = "";
    do {
      Listing listing =
          api.registry().list(pods, query, new ListPage(ReadVersion.NEWEST, limit, token));
      got.add(String.join(" ", names(listing)));
      token = listing.token();
    } while (!token.isEmpty());

    assertThat(String.join(";", got)).isEqualTo(parts.replace("-", ""));
  }

  @Test
  void list_withATokenAndAVersion_isRefused_onceTheTokenIsOne() {
    pod("default", "first", "{}", "{}");
    pod("default", "second", "{}", "{}");
    Collection pods = api.collection("v1", "pods", "default");
    String token =
        api.registry().list(pods, ListQuery.ALL, new ListPage(ReadVersion.NEWEST, 1, "")).token();

    assertThat(refusalOf(pods, token))
        .isEqualTo("specifying resource version is not allowed when using continue");
    assertThat(refusalOf(pods, "other")).startsWith("invalid continue token: ");
  }

  private String refusalOf(Collection pods, String token) {
    ListPage page = new ListPage(ReadVersion.NEWEST, 1, token, /* versioned= */ true);
    return catchThrowableOfType(
            ApiException.class, () -> api.registry().list(pods, ListQuery.ALL, page))
        .text();
  }

  @Test
  void list_byAnIndex_goesOnAfterADamagedObject() {
    for (int i = 0; i < 300; i++) {
      pod("default", "many-%03d".formatted(i), "{'colour':'red'}", "{}");
    }
    for (int i = 0; i < 3; i++) {
      assertThat(list("v1", "pods", "", "colour=red", "").all()).hasSize(300);
    }

    WriteOutcome damage =
        api.store()
            .write(
                Write.put(
                    Bytes.utf8("/registry/pods/default/damaged"),
                    Bytes.utf8("{\"metadata\":{\"labels\":{\"colour\":\"red\" "),
                    Write.ABSENT));
    assertThat(damage).isInstanceOf(WriteOutcome.Applied.class);
    pod("default", "after", "{'colour':'red'}", "{}");

    assertThat(names(list("v1", "pods", "", "colour=red", ""))).hasSize(301).contains("after");
  }

  private List<String> names(Listing listing) {
    return listing.all().stream().map(item -> api.served(item).meta().name()).toList();
  }

  @Test
  void list_ofClusterScopedObjectsOfANamespace_isEmpty() {
    api.create("v1", "persistentvolumes", "", "{'metadata':{'name':'v'}}");

    assertThat(list("v1", "persistentvolumes", "", "", "metadata.namespace=default").all())
        .isEmpty();
  }

  @Test
  void list_ofEvents_selectsByTheirSource() {
    api.create(
        "v1",
        "events",
        "default",
        "{'metadata':{'name':'e1'},'source':{'component':'kubelet'},'involvedObject':{'kind':'Pod','name':'a'}}");
    api.create(
        "v1",
        "events",
        "default",
        "{'metadata':{'name':'e2'},'reportingComponent':'scheduler','involvedObject':{'kind':'Node'}}");

    assertThat(list("v1", "events", "", "", "source=kubelet").all()).hasSize(1);
    assertThat(list("v1", "events", "", "", "source=scheduler").all()).hasSize(1);
    assertThat(list("v1", "events", "", "", "involvedObject.kind=Pod,involvedObject.name=a").all())
        .hasSize(1);
  }

  @Test
  void list_ofReplicaSets_readsAMissingNumberAsZero() {
    api.create("apps/v1", "replicasets", "default", "{'metadata':{'name':'r'}}");

    assertThat(list("apps/v1", "replicasets", "", "", "status.replicas=0").all()).hasSize(1);
    assertThat(list("apps/v1", "replicasets", "", "", "status.replicas=1").all()).isEmpty();
  }

  @Test
  void get_readsWhatIsThere() {
    ApiException refusal =
        refusal(Reason.NOT_FOUND, () -> api.get("v1", "pods", "default", "none"));

    assertThat(refusal).hasMessage("pods \"none\" not found");
    assertThat(api.get("v1", "pods", "other", "a").meta().namespace()).isEqualTo("other");
  }

  private Listing list(
      String version, String resource, String namespace, String labels, String fields) {
    return api.registry()
        .list(
            api.collection(version, resource, namespace),
            new ListQuery(LabelSelector.parse(labels), FieldSelector.parse(fields)),
            ListPage.WHOLE);
  }

  private void pod(String namespace, String name, String labels, String spec) {
    api.create(
        "v1",
        "pods",
        namespace,
        "{'metadata':{'name':'" + name + "','labels':" + labels + "},'spec':" + spec + "}");
  }
}

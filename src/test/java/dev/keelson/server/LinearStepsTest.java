package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.TreeJson;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The steps that depend on other objects, on the format, or on the query of a request. */
class LinearStepsTest extends MeasuredRequests {

  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String POLICIES =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
  private static final String BINDINGS =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

  /** The elements of a list or map, from 0 on. */
  private static String joined(int size, IntFunction<String> element) {
    return IntStream.range(0, size).mapToObj(element).collect(Collectors.joining(","));
  }

  private static MapNode podOf(String spec) {
    return CustomTypes.tree(
        "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'big'},'spec':{" + spec + "}}");
  }

  private static String containers(int size) {
    return "'containers':[" + joined(size, i -> "{'name':'c" + i + "','image':'i'}") + "]";
  }

  private Sent protobuf(String path, MapNode object) {
    Sent json = Sent.create(path, object).accepting(PROTOBUF);
    byte[] body = send(json).payload().toByteArray();
    assertThat(body).startsWith('k', '8', 's', 0);
    return new Sent("POST", path, Map.of("dryRun", "All"), PROTOBUF, body, PROTOBUF);
  }

  @Test
  void protobuf_isDecodedAndEncoded() {
    assertLinear("a map", size -> protobuf(MAPS, map("big", texts(size))));
    assertLinear(
        "a list",
        size ->
            protobuf(
                "/api/v1/namespaces/default/endpoints",
                CustomTypes.tree(
                    "{'metadata':{'name':'big'},'subsets':[{'ports':[{'port':1}],'addresses':["
                        + joined(
                            size,
                            i ->
                                "{'ip':'10."
                                    + i / 65536
                                    + "."
                                    + i / 256 % 256
                                    + "."
                                    + i % 256
                                    + "'}")
                        + "]}]}")));
  }

  @Test
  void protobuf_whoseFieldsComeManyTimes_orAreUnknown() {
    byte[] start = {'k', '8', 's', 0};
    for (int[] element : new int[][] {{0x0a, 0}, {0x12, 0}, {0x1a, 0}, {0x7a, 0}, {0x7b, 0x7c}}) {
      assertLinear(
          "field " + element[0],
          size -> {
            byte[] inner = new byte[2 * size];
            for (int i = 0; i < size; i++) {
              inner[2 * i] = (byte) element[0];
              inner[2 * i + 1] = (byte) element[1];
            }
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(start);
            all.writeBytes(new byte[] {0x0a, 15, 0x0a, 2, 'v', '1', 0x12, 9});
            all.writeBytes("ConfigMap".getBytes(StandardCharsets.US_ASCII));
            all.write(0x12);
            for (int rest = inner.length; ; rest >>>= 7) {
              if (rest < 128) {
                all.write(rest);
                break;
              }
              all.write((rest & 127) | 128);
            }
            all.writeBytes(inner);
            return new Sent(
                "POST", MAPS, Map.of("dryRun", "All"), PROTOBUF, all.toByteArray(), PROTOBUF);
          });
    }
  }

  @Test
  void builtInVersions_areConverted() {
    String target = "'scaleTargetRef':{'kind':'Deployment','name':'d'},'maxReplicas':2";
    String metrics = "/horizontalpodautoscalers";
    assertLinear(
        "to v1",
        size ->
            Sent.create(
                "/apis/autoscaling/v2/namespaces/default" + metrics,
                CustomTypes.tree(
                    "{'metadata':{'name':'big'},'spec':{"
                        + target
                        + ",'metrics':["
                        + joined(
                            size / 4,
                            i ->
                                "{'type':'Pods','pods':{'metric':{'name':'m"
                                    + i
                                    + "'},'target':{'type':'AverageValue','averageValue':'1'}}}")
                        + "]}}")));
    assertLinear(
        "from v1",
        size ->
            Sent.create(
                "/apis/autoscaling/v1/namespaces/default" + metrics,
                CustomTypes.tree("{'metadata':{'name':'big'},'spec':{" + target + "}}")
                    .with(
                        "metadata",
                        MapNode.of("name", Node.text("big"))
                            .with(
                                "annotations",
                                MapNode.of(
                                    "autoscaling.alpha.kubernetes.io/metrics",
                                    Node.text(
                                        "["
                                            + joined(
                                                size / 4,
                                                i ->
                                                    "{\"type\":\"Pods\",\"pods\":{\"metricName\":\"m"
                                                        + i
                                                        + "\",\"targetAverageValue\":\"1\"}}")
                                            + "]"))))));
  }

  private Sent list(String parameter, String selector) {
    return new Sent("GET", MAPS, Map.of(parameter, selector), JSON, new byte[0], JSON);
  }

  @Test
  void selectors() {
    for (int i = 0; i < 20; i++) {
      MapNode object = map("m" + i, MapNode.EMPTY);
      store(
          MAPS,
          object.with(
              "metadata",
              MapNode.of("name", Node.text("m" + i))
                  .with("labels", MapNode.of("k", Node.text("v" + i)))));
    }
    assertLinear("in", size -> list("labelSelector", "k in (" + joined(size, i -> "w" + i) + ")"));
    assertLinear("equal", size -> list("labelSelector", joined(size, i -> "k!=w" + i)));
    assertLinear("exists", size -> list("labelSelector", joined(size, i -> "!w" + i)));
    assertLinear("open", size -> list("labelSelector", "k in " + "(".repeat(size)));
    assertLinear(
        "fields", size -> list("fieldSelector", joined(size, i -> "metadata.name!=w" + i)));
    assertLinear("escapes", size -> list("fieldSelector", "metadata.name=" + "\\,".repeat(size)));
  }

  @Test
  void continueTokensAndParameters() {
    assertLinear("continue", size -> list("continue", "e".repeat(size)));
    assertLinear("resourceVersion", size -> list("resourceVersion", "1".repeat(size)));
    assertLinear("limit", size -> list("limit", "9".repeat(size)));
  }

  @Test
  void quotasAndLimitRanges_ofLargePods() {
    store(
        "/api/v1/namespaces/default/resourcequotas",
        CustomTypes.tree(
            "{'metadata':{'name':'q'},'spec':{'hard':{'pods':'10','requests.cpu':'1M',"
                + "'limits.memory':'1Pi'}}}"));
    store(
        "/api/v1/namespaces/default/limitranges",
        CustomTypes.tree(
            "{'metadata':{'name':'l'},'spec':{'limits':[{'type':'Container','max':{'cpu':'2'},"
                + "'default':{'cpu':'1','memory':'1Mi'},'defaultRequest':{'cpu':'1'}}]}}"));
    assertLinear("a pod", 20_000, size -> Sent.create(PODS, podOf(containers(size))));
  }

  @Test
  void largeLimitRangesAndQuotas() {
    assertLinear(
        "a limit range",
        size -> {
          String name = "l" + size;
          String namespace = "n" + size;
          ApiResponse unused =
              send(
                  new Sent(
                      "POST",
                      "/api/v1/namespaces",
                      Map.of(),
                      JSON,
                      TreeJson.write(CustomTypes.tree("{'metadata':{'name':'" + namespace + "'}}")),
                      JSON));
          String in = "/api/v1/namespaces/" + namespace;
          ApiResponse also =
              send(
                  new Sent(
                      "POST",
                      in + "/limitranges",
                      Map.of(),
                      JSON,
                      TreeJson.write(
                          CustomTypes.tree(
                              "{'metadata':{'name':'"
                                  + name
                                  + "'},'spec':{'limits':[{'type':'Container','default':{"
                                  + joined(size / 10, i -> "'example.com/r" + i + "':'1'")
                                  + "}}]}}")),
                      JSON));
          assertThat(also.status()).isIn(201, 409);
          return Sent.create(
              in + "/pods",
              CustomTypes.tree("{'metadata':{'name':'p'},'spec':{" + containers(1) + "}}"));
        });
  }

  private void policy(String name, String expression) {
    store(
        POLICIES,
        CustomTypes.tree(
            "{'metadata':{'name':'"
                + name
                + "'},'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':[''],"
                + "'apiVersions':['v1'],'operations':['CREATE'],'resources':['pods']}]},"
                + "'validations':[{'expression':\""
                + expression
                + "\"}]}}"));
    store(
        BINDINGS,
        CustomTypes.tree(
            "{'metadata':{'name':'"
                + name
                + "'},'spec':{'policyName':'"
                + name
                + "','validationActions':['Deny']}}"));
  }

  @Test
  void policies_overLargeLists() {
    List<String> expressions =
        List.of(
            "object.spec.containers.all(c, c.image.size() > 0)",
            // ended by its budget
            "object.spec.containers.all(c, object.spec.containers.exists(d, d.name == c.name))",
            "object.spec.containers.map(c, c.name).isSorted()",
            "object == object && object.spec.containers.filter(c, c.image == c.name) == []",
            // refuses every pod
            "object.spec.containers.map(c, c.name).size() < 0");
    for (int i = 0; i < expressions.size(); i++) {
      policy("p" + i, expressions.get(i));
    }
    Eventually.assertEventually(
        () -> assertThat(text(send(Sent.create(PODS, podOf(containers(1)))))).contains("'p4'"));

    assertLinear("a pod", 20_000, size -> Sent.create(PODS, podOf(containers(size))));
  }

  private void serveWidgets() {
    MapNode definition =
        CustomTypes.tree(
            CustomTypes.widgets(
                "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{"
                    + "'type':'object','properties':{"
                    + "'set':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},"
                    + "'map':{'type':'array','x-kubernetes-list-type':'map',"
                    + "'x-kubernetes-list-map-keys':['k'],'items':{'type':'object','properties':{"
                    + "'k':{'type':'string'},'v':{'type':'string','default':'d'}},'required':['k']}},"
                    + "'plain':{'type':'array','uniqueItems':false,'items':{'type':'object',"
                    + "'properties':{'a':{'type':'integer','enum':[1,2,3]}}}},"
                    + "'ruled':{'type':'array','maxItems':200000,'items':{'type':'integer'},'x-kubernetes-validations':[{'rule':'self.all(x,"
                    + " x >= 0)'}]}}}}}}"));
    ApiResponse created =
        send(
            new Sent(
                "POST",
                DEFINITIONS,
                Map.of(),
                JSON,
                TreeJson.write(
                    definition.with(
                        "metadata", MapNode.of("name", Node.text("widgets.example.com")))),
                JSON));
    assertThat(created.status()).as(text(created)).isEqualTo(201);
    Eventually.assertEventually(
        () -> assertThat(send(Sent.create(WIDGETS, widget("'set':[]"))).status()).isEqualTo(201));
  }

  private static String text(ApiResponse answer) {
    return answer.body() instanceof Body.Payload payload
        ? new String(payload.toByteArray(), StandardCharsets.UTF_8)
        : "";
  }

  private static MapNode widget(String spec) {
    return CustomTypes.tree(
        "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'big'},'spec':{"
            + spec
            + "}}");
  }

  @Test
  void customObjects_arePrunedDefaultedAndValidated() {
    serveWidgets();
    Map<String, IntFunction<String>> inputs =
        Map.of(
            "unknown",
            size -> joined(size, i -> "'u" + i + "':1"),
            "unknown in elements",
            size -> "'plain':[" + joined(size, i -> "{'u" + i + "':1}") + "]",
            "set",
            size -> "'set':[" + joined(size, i -> "'e" + i + "'") + "]",
            "set of the same",
            size -> "'set':[" + joined(size, _ -> "'e'") + "]",
            "map",
            size -> "'map':[" + joined(size, i -> "{'k':'e" + i + "'}") + "]",
            "map of the same",
            size -> "'map':[" + joined(size, _ -> "{'k':'e'}") + "]",
            "map without keys",
            size -> "'map':[" + joined(size, _ -> "{}") + "]",
            "not in the enum",
            size -> "'plain':[" + joined(size, _ -> "{'a':7}") + "]",
            "rule",
            size -> "'ruled':[" + joined(size, _ -> "1") + "]",
            "rule that fails",
            size -> "'ruled':[" + joined(size, _ -> "-1") + "]");
    inputs.forEach(
        (what, spec) -> assertLinear(what, size -> Sent.create(WIDGETS, widget(spec.apply(size)))));
    assertLinear(
        "unknown fields, strictly",
        30_000,
        size ->
            new Sent(
                "POST",
                WIDGETS,
                Map.of("dryRun", "All", "fieldValidation", "Strict"),
                JSON,
                TreeJson.write(widget(joined(size, i -> "'u" + i + "':1"))),
                JSON));
    assertLinear(
        "apply",
        30_000,
        size ->
            Sent.patch(
                WIDGETS + "/big",
                "apply-patch+yaml",
                widget("'map':[" + joined(size, i -> "{'k':'e" + i + "'}") + "]")));
  }

  @Test
  void annotationsOfABinding() {
    store(PODS, podOf(containers(1)));
    assertLinear(
        "a binding",
        size ->
            Sent.create(
                PODS + "/big/binding",
                CustomTypes.tree(
                    "{'metadata':{'name':'big','annotations':{"
                        + joined(size, i -> "'k" + i + "':''")
                        + "}},'target':{'kind':'Node','name':'n'}}")));
  }

  @Test
  void largeDefinitions() {
    Map<String, IntFunction<String>> schemas =
        Map.of(
            "properties",
            size -> "'properties':{" + joined(size, i -> "'p" + i + "':{'type':'string'}") + "}",
            "enum",
            size -> "'enum':[" + joined(size, i -> "{'e':" + i + "}") + "]",
            "required",
            size -> "'required':[" + joined(size, i -> "'r" + i + "'") + "]",
            "default",
            size ->
                "'x-kubernetes-preserve-unknown-fields':true,'default':{"
                    + joined(size, i -> "'d" + i + "':1")
                    + "}",
            "rules",
            size ->
                "'x-kubernetes-validations':["
                    + joined(size / 50, i -> "{'rule':'" + i + " < 5'}")
                    + "]");
    schemas.forEach(
        (what, schema) ->
            assertLinear(
                what,
                20_000,
                size ->
                    Sent.create(
                        DEFINITIONS,
                        CustomTypes.tree(
                                CustomTypes.widgets(
                                    "'schema':{'openAPIV3Schema':{'type':'object','properties':{"
                                        + "'spec':{'type':'object',"
                                        + schema.apply(size)
                                        + "}}}}"))
                            .with(
                                "metadata",
                                MapNode.of("name", Node.text("widgets.example.com"))))));
  }

  private static String variables(int size, String value) {
    return "'containers':[{'name':'c','image':'i','env':["
        + joined(size, i -> "{'name':'K" + i + "','value':'" + value + "'}")
        + "]}]";
  }

  @Test
  void refusalsThatShowADifference() {
    assertLinear(
        "an update of a pod",
        size -> {
          MapNode before =
              podOf(variables(size / 10, "a"))
                  .with("metadata", MapNode.of("name", Node.text("p" + size)));
          ApiResponse unused =
              send(new Sent("POST", PODS, Map.of(), JSON, TreeJson.write(before), JSON));
          MapNode after =
              podOf(variables(size / 10, "b"))
                  .with("metadata", MapNode.of("name", Node.text("p" + size)));
          return new Sent(
              "PUT",
              PODS + "/p" + size,
              Map.of("dryRun", "All"),
              JSON,
              TreeJson.write(after),
              JSON);
        });
  }
}

package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.api.ApiException;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.WebhookServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which mutating webhooks see an object once more (the table of Kubernetes' integration suite). The
 * webhooks answer as those of v1beta1 may: without type and uid.
 */
class WebhookReinvocationTest extends AdmissionWebhookFixture {

  private final Map<String, Integer> calls = new ConcurrentSkipListMap<>();

  @Override
  List<String> flags() {
    return List.of("--disable-admission-plugins=ServiceAccount");
  }

  private void decide(HttpExchange exchange, byte[] body) throws IOException {
    MapNode request = ((MapNode) ObjectReader.untypedJson(body)).map("request");
    String path = exchange.getRequestURI().getPath().substring(1);
    String patch = "";
    if (request.map("userInfo").text("username").equals(USER.name())) {
      int unused = calls.merge(path, 1, Integer::sum);
      patch = patch(path, request.map("object"));
    }
    MapNode response = patch.isEmpty() ? allowed() : patching(patch);
    WebhookServer.respond(exchange, 200, json(MapNode.of("response", response)));
  }

  private static String patch(String path, MapNode pod) {
    MapNode labels = pod.map("metadata").map("labels");
    MapNode spec = pod.map("spec");
    return switch (path) {
      case "true", "false" ->
          "[{'op':'replace','path':'/metadata/labels/fight','value':'" + path + "'}]";
      case "label" ->
          labels.text("a").equals("true")
              ? ""
              : "[{'op':'add','path':'/metadata/labels/a','value':'true'}]";
      case "second" ->
          labels.has("a") ? "[{'op':'add','path':'/metadata/labels/b','value':'true'}]" : "";
      case "priority" ->
          spec.text("priorityClassName").equals("high")
              ? ""
              : "[{'op':'add','path':'/spec/priorityClassName','value':'high'},"
                  + "{'op':'remove','path':'/spec/priority'}]";
      case "invalid" -> "[{'op':'add','path':'/spec/priorityClassName','value':'invalid'}]";
      default -> "";
    };
  }

  private void webhooks(String hooks) {
    List<String> all = new ArrayList<>();
    for (String each : hooks.split(" ", -1)) {
      String[] parts = each.split(":", -1);
      String policy = parts[1];
      String fields = policy.isEmpty() ? "" : "'reinvocationPolicy':'" + policy + "'";
      if (parts.length > 2) {
        fields += ",'objectSelector':{'matchLabels':{'" + parts[2] + "':'true'}}";
      }
      all.add(
          webhook(parts[0] + ".hooks.io", fields)
              .replace("'configmaps'", "'pods'")
              .replace("['v1'],'sideEffects'", "['v1beta1'],'sideEffects'")
              .replace("/path", "/" + parts[0]));
    }
    register("mutating", "m", all.toArray(new String[0]));
  }

  private ApiObject pod(String priority) {
    return create(
        collection("v1", "pods", "default"),
        "{'metadata':{'name':'labeled','labels':{'x':'true'}},'spec':{'containers':[{'name':'c',"
            + "'image':'i'}]"
            + (priority.isEmpty() ? "" : ",'priorityClassName':'" + priority + "'")
            + "}}");
  }

  private void priorities() {
    for (String each : List.of("low", "high")) {
      ApiObject made =
          create(
              collection("scheduling.k8s.io/v1", "priorityclasses", ""),
              "{'metadata':{'name':'" + each + "'},'value':" + (each.equals("low") ? 1 : 10) + "}");
      assertThat(made.meta().name()).isEqualTo(each);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // the plug-ins of the server alone do not make a second pass
        "low|none:IfNeeded|none=1|x|none-",
        "low|label:IfNeeded|label=1|a x|label+",
        // the second pass of the plug-ins changes the priority after the webhook
        "low|priority:IfNeeded|priority=2|x|priority+ priority-",
        "low|label:IfNeeded second:IfNeeded|label=2 second=1|a b x|label+ second+ label-",
        "low|true:IfNeeded false:IfNeeded|false=2 true=2|fight x|true+ false+ true+ false+",
        // one that did not match at first is not called later
        "low|second:IfNeeded:a label:IfNeeded|label=1|a x|label+",
        "''|second:Never label:Never|label=1 second=1|a x|second- label+",
        "''|second: label:|label=1 second=1|a x|second- label+",
      })
  void webhooks_areCalledOnceMore_ifOthersChangedTheObjectSince(
      String priority, String hooks, String counts, String labels, String annotated) {
    priorities();
    hook.handle(this::decide);
    webhooks(hooks);
    annotations.clear();

    ApiObject made = pod(priority);

    assertThat(String.join(" ", new TreeMap<>(made.meta().labels()).keySet())).isEqualTo(labels);
    assertThat(String.join(" ", calls.entrySet().stream().map(each -> each.toString()).toList()))
        .isEqualTo(counts);
    List<String> mutations = new ArrayList<>();
    List<String> patches = new ArrayList<>();
    annotations.forEach(
        (key, value) -> {
          if (key.contains("webhook.admission.k8s.io/round_")) {
            MapNode json = tree(value);
            String name = json.text("webhook").replace(".hooks.io", "");
            assertThat(json.text("configuration")).isEqualTo("m");
            if (key.startsWith("mutation.")) {
              mutations.add(name + (json.get("mutated") == Node.Bool.TRUE ? "+" : "-"));
            } else {
              assertThat(json.text("patchType")).isEqualTo("JSONPatch");
              assertThat(json.items("patch")).isNotEmpty();
              patches.add(name + "+");
            }
          }
        });
    assertThat(String.join(" ", mutations)).isEqualTo(annotated);
    assertThat(patches).isEqualTo(mutations.stream().filter(each -> each.endsWith("+")).toList());
  }

  @ParameterizedTest
  @CsvSource({"IfNeeded", "Never"})
  void priorityOfAWebhook_thatDoesNotExist_isRejectedByThePlugin(String policy) {
    hook.handle(this::decide);
    webhooks("invalid:" + policy);

    ApiException refused = catchThrowableOfType(ApiException.class, () -> pod(""));

    assertThat(refused.text())
        .isEqualTo("pods \"labeled\" is forbidden: no PriorityClass with name invalid was found");
    assertThat(calls).containsEntry("invalid", 1);
  }
}

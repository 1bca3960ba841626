package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Mutating policies at work in a server. */
class PolicyMutationsTest extends PoliciesContract {

  @Test
  void applyConfiguration_isMerged() {
    mutating(
        "labels",
        matching("deployments", "apps")
            + "  mutations:\n  - patchType: ApplyConfiguration\n    applyConfiguration:\n"
            + "      expression: >\n"
            + "        Object{metadata: Object.metadata{labels: {'by': 'policy'}},\n"
            + "          spec: Object.spec{replicas: object.spec.replicas + 2, template:"
            + " Object.spec.template{spec: Object.spec.template.spec{containers:"
            + " [Object.spec.template.spec.containers{name: 'side', image: 'side'}]}}}}\n");

    ApiObject made = create(DEPLOYMENTS, "default", deployment());

    assertThat(made.meta().labels()).containsEntry("by", "policy").containsEntry("a", "b");
    MapNode spec = made.root().map("spec");
    assertThat(spec.get("replicas")).isEqualTo(new Node.Int(3));
    List<MapNode> containers = Node.maps(spec.map("template").map("spec").items("containers"));
    assertThat(containers).extracting(each -> each.text("name")).contains("main", "side");
    assertThat(containers)
        .extracting(each -> each.text("terminationMessagePath"))
        .containsOnly("/dev/termination-log");
  }

  private static String deployment() {
    return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, labels: {a: b}}, spec:"
        + " {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}},"
        + " spec: {containers: [{name: main, image: main}]}}}}";
  }

  @Test
  void jsonPatch_isApplied() {
    mutating(
        "patch",
        matching("configmaps", "")
            + "  mutations:\n  - patchType: JSONPatch\n    jsonPatch:\n"
            + "      expression: >\n"
            + "        [JSONPatch{op: 'add', path: '/metadata/labels', value: {}},"
            + " JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'),"
            + " value: object.data.x}]\n");

    assertThat(create(MAPS, "default", map("a", "v")).meta().labels()).containsEntry("a/b", "v");
  }

  @Test
  void jsonPatch_whoseTestFails_leavesTheObject() {
    mutating(
        "patch",
        matching("configmaps", "")
            + "  mutations:\n  - patchType: JSONPatch\n    jsonPatch:\n"
            + "      expression: \"[JSONPatch{op: 'test', path: '/data/x', value: 'other'},"
            + " JSONPatch{op: 'remove', path: '/data/x'}]\"\n");

    assertThat(create(MAPS, "default", map("a", "v")).root().map("data").text("x")).isEqualTo("v");
  }

  @Test
  void mutation_thatFails_deniesWithoutThePrefix() {
    mutating(
        "bad",
        matching("configmaps", "")
            + "  mutations:\n  - patchType: ApplyConfiguration\n    applyConfiguration:\n"
            + "      expression: \"Object{nothing: 'x'}\"\n");

    ApiException refused = refusal(MAPS, "default", map("a", "v"));

    assertThat(refused.text())
        .isEqualTo(
            "policy 'bad' with binding 'bad-binding' denied request: error applying patch: failed"
                + " to convert patch object to typed object: .nothing: field not declared in"
                + " schema");
    assertThat(refused.code()).isEqualTo(403);
    assertThat(refused.reason()).isEqualTo(Reason.INVALID);
    assertThat(refused.details().name()).isEqualTo("a");
  }

  @Test
  void secondPolicy_seesWhatTheFirstSet() {
    mutating(
        "first",
        matching("configmaps", "")
            + "  mutations:\n  - patchType: ApplyConfiguration\n    applyConfiguration:\n"
            + "      expression: \"Object{metadata: Object.metadata{labels: {'env': 'prod'}}}\"\n");
    mutating(
        "second",
        matching("configmaps", "")
            + "  matchConditions:\n  - {name: prod, expression:"
            + " \"object.?metadata.labels['env'].orValue('') == 'prod'\"}\n"
            + "  mutations:\n  - patchType: ApplyConfiguration\n    applyConfiguration:\n"
            + "      expression: \"Object{metadata: Object.metadata{labels: {'seen': 'yes'}}}\"\n");

    assertThat(create(MAPS, "default", map("a", "v")).meta().labels())
        .containsEntry("env", "prod")
        .containsEntry("seen", "yes");
  }
}

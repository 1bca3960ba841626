package dev.keelson.admission.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchException;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.cel.admission.Activation;
import dev.keelson.cel.admission.Activation.Inputs;
import dev.keelson.cel.admission.Activation.RequestResource;
import dev.keelson.cel.admission.Budget;
import dev.keelson.cel.admission.Outcome;
import dev.keelson.cel.admission.PolicyCompiler;
import dev.keelson.cel.admission.PolicyCompiler.Sees;
import dev.keelson.cel.admission.PolicyExpression;
import dev.keelson.cel.admission.ResultType;
import dev.keelson.cel.library.CelAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.testing.AdmissionCalls;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cases of Kubernetes' mutating/patch tests, on Deployments. */
@Timeout(60)
class ObjectPatchesTest {

  private static final StructSchema SCHEMA =
      AdmissionCalls.definition("apps/v1", "deployments").schema();

  private static ApiObject deployment(String fields) {
    return AdmissionCalls.object("apps/v1", "deployments", fields);
  }

  /** Without the nulls and empty structs that decoding adds where something is written. */
  private static Node pruned(Node node) {
    return switch (node) {
      case MapNode map -> {
        MapNode next = MapNode.EMPTY;
        for (String key : map.keys()) {
          Node value = pruned(Objects.requireNonNull(map.get(key)));
          if (value != Node.Null.NULL && !value.equals(MapNode.EMPTY)) {
            next = next.with(key, value);
          }
        }
        yield next;
      }
      case Node.Items items ->
          new Node.Items(items.values().stream().map(ObjectPatchesTest::pruned).toList());
      default -> node;
    };
  }

  private static ApiObject patched(
      ApiObject object, MapNode old, String expression, ResultType type) throws Exception {
    PolicyCompiler compiler = PolicyCompiler.forPolicy();
    PolicyExpression compiled =
        compiler.compile(expression, type, Set.of(Sees.PARAMS, Sees.AUTHORIZER, Sees.PATCH_TYPES));
    if (!compiled.error().isEmpty()) {
      throw new ConfigurationFault(compiled.error());
    }
    CelAuthorizer authorizer = check -> new CelAuthorizer.Decision(false, "", "");
    Inputs inputs =
        new Inputs(
            object.root(),
            old,
            () -> MapNode.EMPTY,
            () -> null,
            authorizer,
            new RequestResource("apps", "deployments", "", "default", "a"));
    Outcome outcome =
        new Activation(inputs, null, compiler.variables())
            .evaluate(compiled, new Budget(Budget.POLICY));
    if (outcome.failed()) {
      throw new ConfigurationFault(outcome.error());
    }
    return type == ResultType.OBJECT
        ? ObjectPatches.merged(object, outcome, SCHEMA)
        : ObjectPatches.patched(object, outcome, SCHEMA);
  }

  /** With the defaults that every patched object gets. */
  private static MapNode complete(String fields) throws Exception {
    return patched(
            deployment(fields),
            MapNode.EMPTY,
            "[JSONPatch{op: 'test', path: '/kind', value: 'Deployment'}]",
            ResultType.PATCH)
        .root();
  }

  private static void check(String before, String expression, String after, ResultType type)
      throws Exception {
    MapNode old = AdmissionCalls.tree("{'spec':{'replicas':2}}");
    if (after.startsWith("{")) {
      assertThat(pruned(patched(new ApiObject(complete(before)), old, expression, type).root()))
          .isEqualTo(pruned(complete(after)));
    } else {
      assertThat(catchException(() -> patched(deployment(before), old, expression, type)))
          .hasMessageContaining(after);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // entries of lists with keys are added and changed in place
        "{'spec':{'template':{'spec':{'volumes':[{'name':'x'}]}}}}|Object{spec:"
            + " Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{volumes:"
            + " [Object.spec.template.spec.volumes{name: 'y'}]}}}}"
            + "|{'spec':{'template':{'spec':{'volumes':[{'name':'x'},{'name':'y'}]}}}}",
        "{'spec':{'template':{'spec':{'volumes':[{'name':'x'},{'name':'y'}]}}}}"
            + "|Object{spec: Object.spec{template: Object.spec.template{spec:"
            + " Object.spec.template.spec{volumes: [Object.spec.template.spec.volumes{name: 'y',"
            + " hostPath: Object.spec.template.spec.volumes.hostPath{path: 'a'}}]}}}}"
            + "|{'spec':{'template':{'spec':{'volumes':[{'name':'x'},{'name':'y','hostPath':"
            + "{'path':'a'}}]}}}}",
        "{'spec':{'replicas':2}}"
            + "|Object{spec: Object.spec{replicas: object.spec.replicas % 2 == 0 ?"
            + " object.spec.replicas + 1 : object.spec.replicas}}|{'spec':{'replicas':3}}",
        "{'spec':{'replicas':1}}"
            + "|Object{spec: Object.spec{replicas: oldObject.spec.replicas % 2 == 0 ?"
            + " oldObject.spec.replicas + 1 : oldObject.spec.replicas}}|{'spec':{'replicas':3}}",
        "{'spec':{}}|Object{spec: Object.spec{replicas: 1, template: Object.spec.template{metadata:"
            + " Object.spec.template.metadata{labels: {'app': 'w'}}, spec:"
            + " Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name:"
            + " 'w', image: 'w:1', ports:"
            + " [Object.spec.template.spec.containers.ports{containerPort: 80}], resources:"
            + " Object.spec.template.spec.containers.resources{limits: {'cpu': '128M'}}}]}}}}"
            + "|{'spec':{'replicas':1,'template':{'metadata':{'labels':{'app':'w'}},'spec':"
            + "{'containers':[{'name':'w','image':'w:1','ports':[{'containerPort':80}],'resources':"
            + "{'limits':{'cpu':'128M'}}}]}}}}",
        "{'spec':{'replicas':1}}"
            + "|Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'l': 'v'}}}}"
            + "|error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays,"
            + " maps or structs: .spec.selector",
        "{'spec':{'replicas':1}}|Object{spec: Object.specx{replicas: 1}}"
            + "|type mismatch: unexpected type name \"Object.specx\", expected \"Object.spec\","
            + " which matches field name path from root Object type",
        "{'spec':{'replicas':1}}|Object{spec: Object.spec{replicasx: 1}}"
            + "|error applying patch: failed to convert patch object to typed object:"
            + " .spec.replicasx: field not declared in schema",
        "{'spec':{'replicas':1}}|'a teapot'|must evaluate to Object but got string",
        "{'spec':{'replicas':1}}|Object.spec.metadata{}"
            + "|must evaluate to Object but got Object.spec.metadata",
        // entries with one key are kept where nothing is written, and become one where it is
        "{'spec':{'replicas':1,'template':{'spec':{'containers':[{'name':'w','env':[{'name':'t',"
            + "'value':'a'},{'name':'t','value':'b'}]}]}}}}"
            + "|Object{spec: Object.spec{replicas: 3}}"
            + "|{'spec':{'replicas':3,'template':{'spec':{'containers':[{'name':'w','env':"
            + "[{'name':'t','value':'a'},{'name':'t','value':'b'}]}]}}}}",
        "{'spec':{'template':{'spec':{'containers':[{'name':'w','env':[{'name':'t','value':'a'},"
            + "{'name':'t','value':'b'},{'name':'f','value':'r'}]}]}}}}"
            + "|Object{spec: Object.spec{template: Object.spec.template{spec:"
            + " Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name:"
            + " 'w', env: [Object.spec.template.spec.containers.env{name: 't', value: 'c'}]}]}}}}"
            + "|{'spec':{'template':{'spec':{'containers':[{'name':'w','env':[{'name':'t','value':"
            + "'c'},{'name':'f','value':'r'}]}]}}}}",
      })
  void applyConfiguration_isMerged(String before, String expression, String after)
      throws Exception {
    check(before, expression, after, ResultType.OBJECT);
  }

  private static final String CONTAINERS =
      "{'spec':{'template':{'spec':{'containers':[{'name':'a'},{'name':'b'},{'name':'c'}]}}}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'spec':{'replicas':1}}|[JSONPatch{op: 'test', path: '/spec/replicas', value: 100},"
            + " JSONPatch{op: 'replace', path: '/spec/replicas', value:"
            + " 3},]|{'spec':{'replicas':1}}",
        "{'spec':{'replicas':1}}|[JSONPatch{op: 'test', path: '/spec/replicas', value: 1},"
            + " JSONPatch{op: 'replace', path: '/spec/replicas', value:"
            + " 3},]|{'spec':{'replicas':3}}",
        "{'spec':{'replicas':1}}|[JSONPatch{op: 'remove', path: '/spec/replicas'},]|{'spec':{}}",
        "{'metadata':{'labels':{'x':'1','y':'1'}}}|[JSONPatch{op: 'remove', path:"
            + " '/metadata/labels/y'}]|{'metadata':{'labels':{'x':'1'}}}",
        CONTAINERS
            + "|[JSONPatch{op: 'remove', path: '/spec/template/spec/containers/1'}]"
            + "|{'spec':{'template':{'spec':{'containers':[{'name':'a'},{'name':'c'}]}}}}",
        "{'metadata':{'labels':{'x':'1'}}}|[JSONPatch{op: 'copy', from: '/metadata/labels/x', path:"
            + " '/metadata/labels/y'}]|{'metadata':{'labels':{'x':'1','y':'1'}}}",
        CONTAINERS
            + "|[JSONPatch{op: 'copy', from: '/spec/template/spec/containers/0', path:"
            + " '/spec/template/spec/containers/-'}]"
            + "|{'spec':{'template':{'spec':{'containers':[{'name':'a'},{'name':'b'},{'name':'c'},"
            + "{'name':'a'}]}}}}",
        "{'metadata':{'labels':{'x':'1'}}}|[JSONPatch{op: 'move', from: '/metadata/labels/x', path:"
            + " '/metadata/labels/y'}]|{'metadata':{'labels':{'y':'1'}}}",
        CONTAINERS
            + "|[JSONPatch{op: 'move', from: '/spec/template/spec/containers/0', path:"
            + " '/spec/template/spec/containers/-'}]"
            + "|{'spec':{'template':{'spec':{'containers':[{'name':'b'},{'name':'c'},{'name':'a'}]}"
            + "}}}",
        "{'metadata':{'labels':{'y':'1'}}}|[JSONPatch{op: 'add', path: '/metadata/labels/x', value:"
            + " '2'}]|{'metadata':{'labels':{'y':'1','x':'2'}}}",
        // members of metadata that are not set are found
        "{'metadata':{}}|[JSONPatch{op: 'add', path: '/metadata/labels', value: {'y': '2'}}]"
            + "|{'metadata':{'labels':{'y':'2'}}}",
        "{'metadata':{'labels':{'x':'1'}}}|[JSONPatch{op: 'add', path: '/metadata/labels', value:"
            + " {'y': '2'}}]|{'metadata':{'labels':{'y':'2'}}}",
        "{'spec':{'template':{'spec':{'containers':[{'name':'a'}]}}}}|[JSONPatch{op: 'add', path:"
            + " '/spec/template/spec/containers/0', value: {'name': 'x'}}]"
            + "|{'spec':{'template':{'spec':{'containers':[{'name':'x'},{'name':'a'}]}}}}",
        "{'spec':{'template':{'spec':{'containers':[{'name':'a'}]}}}}|[JSONPatch{op: 'add', path:"
            + " '/spec/template/spec/containers/-', value: {'name': 'x'}}]"
            + "|{'spec':{'template':{'spec':{'containers':[{'name':'a'},{'name':'x'}]}}}}",
        // replace adds what is missing
        "{'metadata':{'labels':{'y':'1'}}}|[JSONPatch{op: 'replace', path: '/metadata/labels/x',"
            + " value: '2'}]|{'metadata':{'labels':{'y':'1','x':'2'}}}",
        "{'metadata':{}}|[JSONPatch{op: 'replace', path: '/metadata/labels', value: {'y': '2'}}]"
            + "|{'metadata':{'labels':{'y':'2'}}}",
        "{'metadata':{'labels':{'x':'1'}}}|[JSONPatch{op: 'replace', path: '/metadata/labels',"
            + " value: {'y': '2'}}]|{'metadata':{'labels':{'y':'2'}}}",
        "{'spec':{'template':{'spec':{'containers':[{'name':'a'}]}}}}|[JSONPatch{op: 'replace',"
            + " path: '/spec/template/spec/containers/0', value: {'name': 'x'}}]"
            + "|{'spec':{'template':{'spec':{'containers':[{'name':'x'}]}}}}",
        "{}|[JSONPatch{op: 'add', path: '/spec', value: Object.spec{selector:"
            + " Object.spec.selector{}, replicas: 10}}]|{'spec':{'selector':{},'replicas':10}}",
        // operations are values with fields
        "{'metadata':{'labels':{}}}|[JSONPatch{op: 'add', path: '/metadata/labels', value: {'op':"
            + " JSONPatch{op: 'o'}.op, 'path': JSONPatch{path: 'p'}.path, 'from': JSONPatch{from:"
            + " 'f'}.from, 'value': string(JSONPatch{value: 'v'}.value)}}]"
            + "|{'metadata':{'labels':{'op':'o','path':'p','from':'f','value':'v'}}}",
        "{'metadata':{'labels':{}}}|[JSONPatch{op: 'add', path: '/metadata/labels', value: {'op':"
            + " string(has(JSONPatch{op: 'o'}.op)), 'path': string(has(JSONPatch{path:"
            + " 'p'}.path)), 'from': string(has(JSONPatch{from: 'f'}.from)), 'value':"
            + " string(has(JSONPatch{value: 'v'}.value)), 'no-op': string(has(JSONPatch{}.op)),"
            + " 'no-path': string(has(JSONPatch{}.path)), 'no-from': string(has(JSONPatch{}.from)),"
            + " 'no-value': string(has(JSONPatch{}.value))}}]"
            + "|{'metadata':{'labels':{'op':'true','path':'true','from':'true','value':'true',"
            + "'no-op':'false','no-path':'false','no-from':'false','no-value':'false'}}}",
        "{'metadata':{'labels':{}}}|[JSONPatch{op: 'add', path: '/metadata/labels', value:"
            + " {'empty': string(JSONPatch{} == JSONPatch{}), 'part': string(JSONPatch{op: 'add'}"
            + " == JSONPatch{op: 'add'}), 'all': string(JSONPatch{op: 'add', path: 'p', from: 'f',"
            + " value: 1} == JSONPatch{op: 'add', path: 'p', from: 'f', value: 1}), 'op':"
            + " string(JSONPatch{op: 'add'} == JSONPatch{op: 'remove'}), 'path':"
            + " string(JSONPatch{op: 'add', path: 'x', value: 1} == JSONPatch{op: 'add', path: 'p',"
            + " value: 1}), 'from': string(JSONPatch{from: 'x'} == JSONPatch{from: 'f'}), 'value':"
            + " string(JSONPatch{op: 'add', value: '1'} == JSONPatch{op: 'add', value: 1})}}]"
            + "|{'metadata':{'labels':{'empty':'true','part':'true','all':'true','op':'false',"
            + "'path':'false','from':'false','value':'false'}}}",
        "{'metadata':{'labels':{}}}|[JSONPatch{op: 'add', path: '/metadata/labels', value: {}},"
            + " JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('k8s.io/x~y'),"
            + " value: 'true'}]|{'metadata':{'labels':{'k8s.io/x~y':'true'}}}",
        "{'spec':{'template':{'spec':{'containers':[{'name':'a'}]}}}}|[JSONPatch{op: 'add', path:"
            + " '/spec/template/spec/containers/-', value:"
            + " Object.spec.template.spec.containers{name: 'x', ports:"
            + " [Object.spec.template.spec.containers.ports{containerPort: 8080}]}}]"
            + "|{'spec':{'template':{'spec':{'containers':[{'name':'a'},{'name':'x','ports':"
            + "[{'containerPort':8080}]}]}}}}",
        "{'spec':{'template':{'spec':{'containers':[{'name':'a'}]}}}}|[JSONPatch{op: 'add', path:"
            + " '/spec/template/spec/containers/-', value:"
            + " Object.spec.template.spec.containers{name: 'x', ports:"
            + " [Object.spec.template.spec.containers.ports{containerPortZ: 8080}]}}]"
            + "|strict decoding error: unknown field"
            + " \"spec.template.spec.containers[1].ports[0].containerPortZ\"",
        "{'spec':{'template':{'spec':{'containers':[{'name':'a'}]}}}}|[JSONPatch{op: 'add', path:"
            + " '/spec/template/spec/containers/-', value:"
            + " Object.spec.template.spec.containers{name: 'x', ports:"
            + " [Object.spec.template.spec.containers.portsZ{containerPort: 8080}]}}]|type"
            + " mismatch: unexpected type name \"Object.spec.template.spec.containers.portsZ\","
            + " expected \"Object.spec.template.spec.containers.ports\", which matches field name"
            + " path from root Object type",
        "{'spec':{'template':{'spec':{'containers':[{'name':'a'}]}}}}|[JSONPatch{op: 'replace',"
            + " path: '/spec/template/spec/containers/-', value: {'name': 'x'}}]"
            + "|JSON Patch: replace operation does not apply: doc is missing key:"
            + " /spec/template/spec/containers/-: missing value",
      })
  void jsonPatch_isApplied(String before, String expression, String after) throws Exception {
    check(before, expression, after, ResultType.PATCH);
  }

  @Test
  void jsonPatch_thatMakesAnotherKind_isAnInternalError_withItsCause() {
    String expression = "[JSONPatch{op: 'replace', path: '/kind', value: 'ReplicaSet'}]";

    assertThatThrownBy(
            () -> patched(deployment("{'spec':{}}"), MapNode.EMPTY, expression, ResultType.PATCH))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.INTERNAL_ERROR);
              assertThat(e.details().causes())
                  .containsExactly(
                      new FieldCause(
                          "",
                          "failed to convert object: apps/v1 ReplicaSet is no apps/v1 Deployment",
                          ""));
            });
  }
}

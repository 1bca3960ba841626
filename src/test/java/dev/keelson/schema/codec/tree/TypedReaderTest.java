package dev.keelson.schema.codec.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes in and what Kubernetes would print for it. JSON in the tables has ' for ". */
class TypedReaderTest {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();

  private static StructSchema schema(String name) {
    return SCHEMAS.struct("io.k8s.api." + name);
  }

  private static Decoded decode(String type, String json) {
    return ObjectReader.json(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
        schema(type),
        FieldValidation.STRICT);
  }

  private static String encoded(Decoded decoded) {
    return new String(ObjectWriter.json(decoded.root()), StandardCharsets.UTF_8).replace('"', '\'');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # values held as pointers, as values, with and without omitempty
          core.v1.Container         | {}                                    | {'name':'','resources':{}}
          core.v1.Container         | {'name':'a','resources':{},'args':[]} | {'name':'a','resources':{}}
          core.v1.Container         | {'resources':null,'name':null}        | {'name':'','resources':{}}
          core.v1.Container         | {'name':'a','tty':false,'stdin':true} | {'name':'a','resources':{},'stdin':true}
          core.v1.Container         | {'name':'a','securityContext':{}}     | {'name':'a','resources':{},'securityContext':{}}
          core.v1.ContainerPort     | {'containerPort':0,'hostPort':0}      | {'containerPort':0}
          core.v1.PodSpec           | {'containers':[]}                     | {'containers':[]}
          core.v1.PodSpec           | {}                                    | {'containers':null}
          core.v1.PodSpec           | {'containers':null,'terminationGracePeriodSeconds':0} | {'containers':null,'terminationGracePeriodSeconds':0}
          core.v1.PodTemplateSpec   | {'metadata':{'creationTimestamp':null}} | {'metadata':{},'spec':{'containers':null}}
          core.v1.Service           | {'kind':'Service'}                    | {'kind':'Service','metadata':{},'spec':{},'status':{'loadBalancer':{}}}
          apps.v1.DeploymentSpec    | {'replicas':0,'selector':null,'paused':false} | {'replicas':0,'selector':null,'template':{'metadata':{},'spec':{'containers':null}},'strategy':{}}
          rbac.v1.ClusterRole       | {'rules':null}                        | {'metadata':{},'rules':null}
          core.v1.TypedLocalObjectReference | {'kind':'a','name':'b'}        | {'apiGroup':null,'kind':'a','name':'b'}
          core.v1.TypedLocalObjectReference | {'apiGroup':'','kind':'a','name':'b'} | {'apiGroup':'','kind':'a','name':'b'}
          # order is that of the declaration, maps are sorted by their bytes
          core.v1.ObjectReference   | {'name':'b','kind':'a'}               | {'kind':'a','name':'b'}
          core.v1.ConfigMap         | {'data':{'b':'1','a':'2','Z':'3'}}    | {'metadata':{},'data':{'Z':'3','a':'2','b':'1'}}
          core.v1.ConfigMap         | {'data':{'\\ud83d\\ude00':'1','\\uff5e':'2'}} | {'metadata':{},'data':{'～':'2','😀':'1'}}
          core.v1.ConfigMap         | {'data':{'a':null}}                   | {'metadata':{},'data':{'a':''}}
          core.v1.ConfigMap         | {'data':{}}                           | {'metadata':{}}
          # no managers at all is a wish to forget them, and not the same as none named
          core.v1.ConfigMap         | {'metadata':{'managedFields':[]}}     | {'metadata':{'managedFields':[{}]}}
          core.v1.ConfigMap         | {'metadata':{'managedFields':null}}   | {'metadata':{}}
          core.v1.PodTemplateSpec   | {'spec':{'containers':null},'metadata':{'finalizers':[]}} | {'metadata':{},'spec':{'containers':null}}
          # bytes
          core.v1.Secret            | {'data':{'a':'','b':'AAE=','c':null}} | {'metadata':{},'data':{'a':'','b':'AAE=','c':''}}
          core.v1.Secret            | {'data':{'a':'AA\\nE='}}              | {'metadata':{},'data':{'a':'AAE='}}
          # a list holds values: null is the empty one
          core.v1.Container         | {'args':[null,'a']}                   | {'name':'','args':['','a'],'resources':{}}
          core.v1.PodSpec           | {'containers':[null]}                 | {'containers':[{'name':'','resources':{}}]}
          # int-or-string
          core.v1.ServicePort       | {'port':80}                           | {'port':80,'targetPort':0}
          core.v1.ServicePort       | {'port':80,'targetPort':'http'}       | {'port':80,'targetPort':'http'}
          core.v1.ServicePort       | {'port':80,'targetPort':-0}           | {'port':80,'targetPort':0}
          core.v1.ServicePort       | {'port':80,'targetPort':''}           | {'port':80,'targetPort':''}
          # quantities are reduced
          core.v1.ResourceRequirements | {'limits':{'cpu':1,'memory':'1024Mi','x':0.50,'y':1e3}} | {'limits':{'cpu':'1','memory':'1Gi','x':'500m','y':'1e3'}}
          core.v1.ResourceFieldSelector | {'resource':'limits.cpu'}         | {'resource':'limits.cpu','divisor':'0'}
          # times
          core.v1.NodeCondition     | {'type':'a','status':'b'}             | {'type':'a','status':'b','lastHeartbeatTime':null,'lastTransitionTime':null}
          core.v1.NodeCondition     | {'type':'a','status':'b','lastHeartbeatTime':'2020-01-01T02:00:00.9+02:00','lastTransitionTime':'0001-01-01T00:00:00Z'} | {'type':'a','status':'b','lastHeartbeatTime':'2020-01-01T00:00:00Z','lastTransitionTime':null}
          coordination.v1.LeaseSpec | {'renewTime':'2020-01-01T00:00:00.000001Z'} | {'renewTime':'2020-01-01T00:00:00.000001Z'}
          # anything goes in free values, as it is
          apps.v1.ControllerRevision | {'data':{'b':[1.50,null,-0,1E400],'a':{}},'revision':1} | {'metadata':{},'data':{'b':[1.50,null,-0,1E400],'a':{}},'revision':1}
          apps.v1.ControllerRevision | {'data':null,'revision':9223372036854775807} | {'metadata':{},'data':null,'revision':9223372036854775807}
          """)
  void typed(String type, String json, String printed) {
    Decoded decoded = decode(type, json);

    assertThat(encoded(decoded)).isEqualTo(printed);
    assertThat(decoded.problems()).isEmpty();
    assertThat(encoded(decode(type, printed))).as("stable").isEqualTo(printed);
    assertThat(Canonical.form(decoded.root(), schema(type))).isSameAs(decoded.root());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          apps.v1.Deployment | {'spec':{'replicas':'3'}}       | json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32
          apps.v1.Deployment | {'spec':{'replicas':1.0}}       | json: cannot unmarshal number 1.0 into Go struct field DeploymentSpec.spec.replicas of type int32
          apps.v1.Deployment | {'spec':{'replicas':1e3}}       | json: cannot unmarshal number 1e3 into Go struct field DeploymentSpec.spec.replicas of type int32
          apps.v1.Deployment | {'spec':{'replicas':2147483648}} | json: cannot unmarshal number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32
          apps.v1.Deployment | {'spec':{'replicas':true}}      | json: cannot unmarshal bool into Go struct field DeploymentSpec.spec.replicas of type int32
          apps.v1.Deployment | {'spec':[]}                     | json: cannot unmarshal array into Go struct field Deployment.spec of type v1.DeploymentSpec
          apps.v1.Deployment | {'spec':{'paused':'yes'}}       | json: cannot unmarshal string into Go struct field DeploymentSpec.spec.paused of type bool
          apps.v1.Deployment | []                              | json: cannot unmarshal array into Go value of type v1.Deployment
          apps.v1.Deployment | null                            | json: cannot unmarshal null into Go value of type v1.Deployment
          apps.v1.Deployment | {'metadata':{'labels':{'a':1}}} | json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string
          apps.v1.Deployment | {'metadata':{'labels':'a'}}     | json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type map[string]string
          apps.v1.Deployment | {'metadata':{'generation':9223372036854775808}} | json: cannot unmarshal number 9223372036854775808 into Go struct field ObjectMeta.metadata.generation of type int64
          core.v1.Pod        | {'spec':{'containers':{}}}      | json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container
          core.v1.Pod        | {'spec':{'containers':['a']}}   | json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type v1.Container
          core.v1.Pod        | {'spec':{'containers':[{'ports':[{'containerPort':'a'}]}]}} | json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32
          core.v1.Pod        | {'spec':{'containers':[{'name':1}]}} | json: cannot unmarshal number into Go struct field Container.spec.containers.name of type string
          core.v1.Service    | {'spec':{'ports':[{'targetPort':1.5}]}} | json: cannot unmarshal number 1.5 into Go struct field ServicePort.spec.ports.targetPort of type int32
          core.v1.Service    | {'spec':{'ports':[{'targetPort':true}]}} | json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32
          core.v1.Secret     | {'data':{'a':'?'}}              | illegal base64 data at input byte 0
          core.v1.Secret     | {'data':{'a':1}}                | json: cannot unmarshal number into Go struct field Secret.data of type []uint8
          core.v1.Pod        | {'metadata':{'creationTimestamp':'now'}} | parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"
          core.v1.Pod        | {'metadata':{'creationTimestamp':1}} | json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string
          core.v1.ResourceRequirements | {'limits':{'cpu':'1x'}} | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
          core.v1.ResourceRequirements | {'limits':{'cpu':true}} | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
          """)
  void mistyped_isRefusedInGosWords(String type, String json, String message) {
    assertThatThrownBy(() -> decode(type, json))
        .isInstanceOfSatisfying(
            DecodeException.class,
            e -> {
              assertThat(e.text()).isEqualTo(message);
              assertThat(e.fault()).isEqualTo(Fault.SHAPE);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'spec':{'foo':1}}                                     | unknown field "spec.foo"
          {'foo':{'kind':[{}]}}                                  | unknown field "foo"
          {'Spec':{}}                                            | unknown field "Spec"
          {'spec':{'replicas':1,'replicas':2}}                   | duplicate field "spec.replicas"
          {'spec':{'replicas':1,'replicas':null}}                | duplicate field "spec.replicas"
          {'metadata':{'labels':{'a':'b','a':'c'}}}              | duplicate field "metadata.labels.a"
          {'spec':{'template':{'spec':{'containers':[{},{'x':1}]}}}} | unknown field "spec.template.spec.containers[1].x"
          {'spec':{'template':{'spec':{'containers':[{'ports':[{'x':1}]}]}}}} | unknown field "spec.template.spec.containers[0].ports[0].x"
          {'spec':{'template':{'spec':{'volumes':[{'hostPath':{'x':1}}]}}}} | unknown field "spec.template.spec.volumes[0].hostPath.x"
          """)
  void dropped_isTold(String json, String problem) {
    assertThat(decode("apps.v1.Deployment", json).problems()).containsExactly(problem);
  }

  @Test
  void dropped_isNotTold_whenIgnored() {
    byte[] json = "{\"foo\":1,\"kind\":\"a\",\"kind\":\"b\"}".getBytes(StandardCharsets.UTF_8);

    Decoded decoded = ObjectReader.json(json, schema("core.v1.Pod"), FieldValidation.IGNORE);

    assertThat(decoded.problems()).isEmpty();
    assertThat(decoded.root().text("kind")).isEqualTo("b");
    assertThat(decoded.root().has("foo")).isFalse();
  }

  @Test
  void duplicates_lastWins_andNullLeavesValuesButClearsPointers() {
    assertThat(encoded(decode("core.v1.ObjectReference", "{'name':'a','name':'b'}")))
        .isEqualTo("{'name':'b'}");
    assertThat(encoded(decode("core.v1.ObjectReference", "{'name':'a','name':null}")))
        .isEqualTo("{'name':'a'}");
    assertThat(
            encoded(decode("core.v1.ReplicationControllerSpec", "{'replicas':1,'replicas':null}")))
        .isEqualTo("{}");
  }

  @Test
  void problems_areTogetherOneStrictMessage() {
    Decoded decoded = decode("core.v1.Pod", "{'a':1,'b':2,'kind':'x','kind':'y'}");

    assertThat(decoded.strictMessage())
        .isEqualTo(
            "strict decoding error: unknown field \"a\", unknown field \"b\", duplicate field"
                + " \"kind\"");
  }

  @Test
  void problems_areBounded() {
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < 500; i++) {
      json.append("'u").append(i).append("':1,");
    }

    assertThat(decode("core.v1.Pod", json.append("'v':1}").toString()).problems()).hasSize(100);
  }

  @Test
  void openStruct_keepsWhatItDoesNotKnow() {
    StructSchema open =
        new StructSchema("x.Open", false, true, () -> schema("core.v1.ObjectReference").fields());
    byte[] json = "{\"z\":{\"b\":1},\"name\":\"n\",\"a\":2}".getBytes(StandardCharsets.UTF_8);

    Decoded decoded = ObjectReader.json(json, open, FieldValidation.STRICT);

    assertThat(encoded(decoded)).isEqualTo("{'name':'n','z':{'b':1},'a':2}");
    assertThat(decoded.problems()).isEmpty();
    assertThat(Canonical.form(decoded.root(), open)).isSameAs(decoded.root());
  }

  @Test
  void tree_typedAnew_isCheckedLikeJson() {
    Node patched =
        ObjectReader.untypedJson(
            "{\"spec\":{\"replicas\":\"x\"}}".getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(
            () -> ObjectReader.tree(patched, schema("apps.v1.Deployment"), FieldValidation.IGNORE))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("DeploymentSpec.spec.replicas of type int32");
  }

  @Test
  void fieldValidation_hasKubernetesWords() {
    assertThat(List.of("", "Ignore", "Warn", "Strict"))
        .extracting(FieldValidation::ofWord)
        .containsExactly(
            FieldValidation.WARN,
            FieldValidation.IGNORE,
            FieldValidation.WARN,
            FieldValidation.STRICT);
    assertThatThrownBy(() -> FieldValidation.ofWord("strict"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

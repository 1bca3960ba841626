package dev.keelson.authz.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectSink;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Expected answers: derived by hand from the node authorizer of Kubernetes 1.36, not captured from
 * a server.
 */
class NodeAuthorizerTest {

  private static final ApiObject POD =
      object(
          """
          {'metadata': {'name': 'web', 'namespace': 'a'}, 'spec': {
            'nodeName': 'one', 'serviceAccountName': 'robot',
            'imagePullSecrets': [{'name': 'pull'}],
            'containers': [{'env': [{'valueFrom': {'secretKeyRef': {'name': 'env'}}}],
                            'envFrom': [{'configMapRef': {'name': 'settings'}}]}],
            'volumes': [
              {'name': 's', 'secret': {'secretName': 'mounted'}},
              {'name': 'p', 'projected': {'sources': [{'configMap': {'name': 'projected'}}]}},
              {'name': 'd', 'persistentVolumeClaim': {'claimName': 'data'}},
              {'name': 'scratch', 'ephemeral': {}}],
            'resourceClaims': [{'name': 'r1', 'resourceClaimName': 'gpu'},
                               {'name': 'r2', 'resourceClaimTemplateName': 'nic'},
                               {'name': 'r3', 'resourceClaimTemplateName': 'none'}]},
           'status': {
            'resourceClaimStatuses': [{'name': 'r2', 'resourceClaimName': 'web-nic-1'},
                                      {'name': 'gone', 'resourceClaimName': 'old'},
                                      {'name': 'r3'}],
            'extendedResourceClaimStatus': {'resourceClaimName': 'web-extended'}}}
          """);
  private static final ApiObject VOLUME =
      object(
          """
          {'metadata': {'name': 'disk'}, 'spec': {
            'claimRef': {'namespace': 'a', 'name': 'data'},
            'csi': {'nodeStageSecretRef': {'namespace': 'storage', 'name': 'stage'}}}}
          """);
  private static final ApiObject ATTACHMENT =
      object("{'metadata': {'name': 'att'}, 'spec': {'nodeName': 'one'}}");

  private static final ApiObject SLICE =
      object("{'metadata': {'name': 'gpus'}, 'spec': {'nodeName': 'one'}}");
  private static final ApiObject SHARED =
      object("{'metadata': {'name': 'shared'}, 'spec': {'allNodes': true}}");

  private ObjectSink<GraphSource.Kind> sink = new NodeGraph();
  private final NodeAuthorizer authorizer =
      new NodeAuthorizer(given -> sink = given, asked -> asked.verb().equals("ruled"), false);

  @BeforeEach
  void fill() {
    assertThat(ask("one", "get", "", "secrets", "", "a", "mounted").allowed()).isFalse();
    sink.put(GraphSource.Kind.POD, POD);
    sink.put(GraphSource.Kind.PERSISTENT_VOLUME, VOLUME);
    sink.put(GraphSource.Kind.VOLUME_ATTACHMENT, ATTACHMENT);
    sink.put(GraphSource.Kind.RESOURCE_SLICE, SLICE);
    sink.put(GraphSource.Kind.RESOURCE_SLICE, SHARED);
  }

  @ParameterizedTest
  @CsvSource({
    // what a pod of the node refers to, in each way
    "get,,secrets,,a,mounted,true",
    "list,,secrets,,a,mounted,true",
    "get,,secrets,,a,pull,true",
    "get,,secrets,,a,env,true",
    "get,,configmaps,,a,settings,true",
    "watch,,configmaps,,a,projected,true",
    "get,,persistentvolumeclaims,,a,data,true",
    "get,,persistentvolumeclaims,,a,web-scratch,true",
    "get,,persistentvolumes,,,disk,true",
    "get,,secrets,,storage,stage,true",
    "get,storage.k8s.io,volumeattachments,,,att,true",
    "create,,serviceaccounts,token,a,robot,true",
    "get,,pods,,a,web,true",
    "get,resource.k8s.io,resourceclaims,,a,gpu,true",
    "get,resource.k8s.io,resourceclaims,,a,web-nic-1,true",
    "get,resource.k8s.io,resourceclaims,,a,web-extended,true",
    "create,resource.k8s.io,resourceslices,,,,true",
    "get,resource.k8s.io,resourceslices,,,gpus,true",
    "update,resource.k8s.io,resourceslices,,,gpus,true",
    "patch,resource.k8s.io,resourceslices,,,gpus,true",
    "delete,resource.k8s.io,resourceslices,,,gpus,true",
    "patch,,persistentvolumeclaims,status,a,data,true",
    // and nothing beside it
    "get,,persistentvolumeclaims,status,a,data,false",
    "get,resource.k8s.io,resourceclaims,,a,old,false",
    "get,resource.k8s.io,resourceclaims,,b,gpu,false",
    "list,resource.k8s.io,resourceclaims,,a,gpu,false",
    "get,resource.k8s.io,resourceclaims,status,a,gpu,false",
    "get,resource.k8s.io,resourceslices,,,other,false",
    "get,resource.k8s.io,resourceslices,,,shared,false",
    "get,resource.k8s.io,resourceslices,status,,gpus,false",
    "list,resource.k8s.io,resourceslices,,,,false",
    "proxy,resource.k8s.io,resourceslices,,,gpus,false",
    "get,,secrets,,a,other,false",
    "get,,secrets,,b,mounted,false",
    "list,,secrets,,a,,false",
    "update,,secrets,,a,mounted,false",
    "get,,persistentvolumes,,,other,false",
    "list,,persistentvolumes,,,disk,false",
    "create,,serviceaccounts,token,a,other,false",
    "create,,serviceaccounts,,a,robot,false",
    "list,,pods,,a,,false",
    "get,,pods,,a,other,false",
    // its own objects
    "get,,nodes,,,one,true",
    "get,,nodes,,,two,false",
    "patch,,nodes,status,,one,true",
    "patch,,nodes,status,,two,false",
    "create,coordination.k8s.io,leases,,kube-node-lease,,true",
    "update,coordination.k8s.io,leases,,kube-node-lease,one,true",
    "update,coordination.k8s.io,leases,,kube-node-lease,two,false",
    "update,coordination.k8s.io,leases,,a,one,false",
    "update,storage.k8s.io,csinodes,,,one,true",
    "update,storage.k8s.io,csinodes,,,two,false",
    // the rest by rules
    "ruled,x,ys,,,,true",
    "get,x,ys,,,,false",
  })
  void nodeOne_mayDoWhatConcernsIt(
      String verb,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name,
      boolean allowed) {
    Decision decision =
        ask("one", verb, text(group), resource, text(subresource), text(namespace), text(name));

    assertThat(decision.allowed()).as(decision.toString()).isEqualTo(allowed);
  }

  @Test
  void anotherNode_hasNoPartInIt() {
    assertThat(ask("two", "get", "", "secrets", "", "a", "mounted").reason())
        .isEqualTo("no relationship found between node 'two' and this object");
  }

  @Test
  void podThatGoes_takesItsReferencesAlong() {
    sink.put(
        GraphSource.Kind.POD,
        object(
            """
            {'metadata': {'name': 'second', 'namespace': 'a'}, 'spec': {'nodeName': 'one',
              'volumes': [{'name': 's', 'secret': {'secretName': 'mounted'}}]}}
            """));

    sink.remove(GraphSource.Kind.POD, "a", "web");
    boolean stillByTheSecond = ask("one", "get", "", "secrets", "", "a", "mounted").allowed();
    sink.remove(GraphSource.Kind.POD, "a", "second");

    assertThat(stillByTheSecond).isTrue();
    assertThat(ask("one", "get", "", "secrets", "", "a", "mounted").allowed()).isFalse();
    assertThat(ask("one", "get", "", "persistentvolumes", "", "", "disk").allowed()).isFalse();
  }

  @Test
  void mirrorPod_gainsNothing() {
    sink.put(
        GraphSource.Kind.POD,
        object(
            """
            {'metadata': {'name': 'm', 'namespace': 'a',
               'annotations': {'kubernetes.io/config.mirror': 'x'}}, 'spec': {'nodeName': 'two',
               'volumes': [{'name': 's', 'secret': {'secretName': 'mounted'}}]}}
            """));

    assertThat(ask("two", "get", "", "secrets", "", "a", "mounted").allowed()).isFalse();
  }

  @Test
  void podsOfANode_areListedByTheirFieldOnly() {
    Attributes.Resource own =
        new Attributes.Resource("", "v1", "pods", "", "", "", "spec.nodeName=one", "");
    Attributes.Resource others =
        new Attributes.Resource("", "v1", "pods", "", "", "", "spec.nodeName!=one", "");

    assertThat(authorizer.authorize(new Attributes(node("one"), "list", own)).allowed()).isTrue();
    assertThat(authorizer.authorize(new Attributes(node("one"), "list", others)).allowed())
        .isFalse();
  }

  @Test
  void slicesOfANode_areListedByTheirFieldOnly() {
    Attributes.Resource own =
        new Attributes.Resource(
            "resource.k8s.io", "v1", "resourceslices", "", "", "", "spec.nodeName=one", "");

    assertThat(authorizer.authorize(new Attributes(node("one"), "watch", own)).allowed()).isTrue();
    assertThat(authorizer.authorize(new Attributes(node("two"), "watch", own)).reason())
        .isEqualTo(
            "can only list/watch/deletecollection resourceslices with nodeName field selector");
  }

  @Test
  void slice_relatesToItsNodeWhileItIsThere() {
    assertThat(ask("two", "get", "resource.k8s.io", "resourceslices", "", "", "gpus").reason())
        .isEqualTo("no relationship found between node 'two' and this object");

    sink.remove(GraphSource.Kind.RESOURCE_SLICE, "", "gpus");

    assertThat(ask("one", "update", "resource.k8s.io", "resourceslices", "", "", "gpus").allowed())
        .isFalse();
  }

  @Test
  void rulesOfNodes_cannotBeListed_andOthersHaveNone() {
    UserInfo ann = new UserInfo("ann", "", List.of("system:nodes"), Map.of());

    assertThat(authorizer.rules(node("one"), "a").incomplete()).isTrue();
    assertThat(authorizer.rules(ann, "a")).isEqualTo(ResolvedRules.NONE);
  }

  @Test
  void nodes_areNotListed() {
    assertThat(ask("one", "list", "", "nodes", "", "", "").reason())
        .isEqualTo("node 'one' cannot read all nodes, only its own Node object");
  }

  @Test
  void otherNodes_areLeftToAdmission_whereItLooksAtThem() {
    NodeAuthorizer lenient = new NodeAuthorizer(given -> {}, asked -> false, true);
    Attributes.Resource other = new Attributes.Resource("", "v1", "nodes", "", "", "two", "", "");

    assertThat(lenient.authorize(new Attributes(node("one"), "patch", other)).allowed()).isTrue();
    assertThat(lenient.authorize(new Attributes(node("one"), "get", other)).allowed()).isFalse();
    assertThat(ask("one", "patch", "", "nodes", "", "", "two").allowed()).isFalse();
  }

  @Test
  void whoIsNoNode_isNoneOfItsBusiness() {
    UserInfo pretender = new UserInfo("system:node:one", "", List.of("users"), Map.of());
    Attributes.Resource secret =
        new Attributes.Resource("", "v1", "secrets", "", "a", "mounted", "", "");

    assertThat(authorizer.authorize(new Attributes(pretender, "get", secret)))
        .isEqualTo(Decision.NoOpinion.PLAIN);
  }

  private Decision ask(
      String node,
      String verb,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name) {
    return authorizer.authorize(
        new Attributes(
            node(node),
            verb,
            new Attributes.Resource(group, "v1", resource, subresource, namespace, name, "", "")));
  }

  private static String text(String cell) {
    return cell == null ? "" : cell;
  }

  private static UserInfo node(String name) {
    return new UserInfo("system:node:" + name, "", List.of("system:nodes"), Map.of());
  }

  private static ApiObject object(String json) {
    return new ApiObject(
        (MapNode)
            ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }
}

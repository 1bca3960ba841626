package dev.keelson.admission.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.plugin.certificate.CertificateSubjectRestriction;
import dev.keelson.admission.plugin.garbage.OwnerReferencesPermissionEnforcement;
import dev.keelson.admission.plugin.pod.PodNodeSelector;
import dev.keelson.admission.plugin.pod.PodTolerationRestriction;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.testing.AdmissionCalls;
import dev.keelson.testing.KnownObjects;
import dev.keelson.testing.LocalApi;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plugins with a configuration, and those that ask the authorizer about other objects. */
@Timeout(60)
class ConfiguredPluginsTest {

  private static final ResourceCatalog CATALOG =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));

  private final KnownObjects objects = new KnownObjects();
  private final AdmissionCalls calls = new AdmissionCalls();

  private void namespace(String annotations) {
    objects.put(
        "v1",
        "namespaces",
        AdmissionCalls.object(
            "v1", "namespaces", "{'metadata':{'name':'n','annotations':{" + annotations + "}}}"));
  }

  private AdmissionAttributes pod(String spec) {
    return calls.create(
        "v1",
        "pods",
        AdmissionCalls.object(
            "v1", "pods", "{'metadata':{'name':'p','namespace':'n'},'spec':" + spec + "}"));
  }

  private static MapNode spec(Admission plugin, AdmissionAttributes call) {
    ApiObject object = call.object();
    return object == null ? MapNode.EMPTY : plugin.mutate(call, object).root().map("spec");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a=1 | {} | {'nodeSelector':{'a':'1'}}",
        "a=1 | {'nodeSelector':{'b':'2'}} | {'nodeSelector':{'a':'1','b':'2'}}",
        "a=1 | {'nodeSelector':{'a':'1'}} | {'nodeSelector':{'a':'1'}}"
      })
  void nodeSelector_isThatOfTheNamespaceAndOfThePod(String selector, String own, String merged) {
    namespace("'scheduler.alpha.kubernetes.io/node-selector':'" + selector + "'");

    assertThat(LocalApi.json(spec(new PodNodeSelector(objects, MapNode.EMPTY), pod(own))))
        .isEqualTo(merged);
  }

  @Test
  void nodeSelector_thatConflictsOrIsNotAllowed_isRejected() {
    namespace("'scheduler.alpha.kubernetes.io/node-selector':'a=1'");
    PodNodeSelector plugin =
        new PodNodeSelector(
            objects, AdmissionCalls.tree("{'podNodeSelectorPluginConfig':{'n':'a=1,b=2'}}"));

    assertThatThrownBy(() -> spec(plugin, pod("{'nodeSelector':{'a':'2'}}")))
        .hasMessage(
            "pods \"p\" is forbidden: pod node label selector conflicts with its namespace node"
                + " label selector");
    assertThatThrownBy(() -> spec(plugin, pod("{'nodeSelector':{'c':'3'}}")))
        .hasMessage(
            "pods \"p\" is forbidden: pod node label selector labels conflict with its namespace"
                + " whitelist");
    assertThatThrownBy(() -> plugin.validate(pod("{'nodeSelector':{'b':'9'}}")))
        .hasMessageContaining("whitelist");
  }

  @Test
  void nodeSelector_ofNamespaceWithout_isThatOfTheCluster() {
    namespace("");
    PodNodeSelector plugin =
        new PodNodeSelector(
            objects,
            AdmissionCalls.tree(
                "{'podNodeSelectorPluginConfig':{'clusterDefaultNodeSelector':'x=y'}}"));

    assertThat(LocalApi.json(spec(plugin, pod("{}")))).isEqualTo("{'nodeSelector':{'x':'y'}}");
    namespace("'scheduler.alpha.kubernetes.io/node-selector':''");
    assertThat(LocalApi.json(spec(plugin, pod("{}")))).isEqualTo("{}");
    namespace("'scheduler.alpha.kubernetes.io/node-selector':'a>1'");
    assertThatThrownBy(() -> spec(plugin, pod("{}"))).hasMessage("invalid selector: a>1");
  }

  private static final String ONE = "{\"key\":\"a\",\"operator\":\"Exists\"}";

  private void tolerations(String key, String json) {
    ApiObject namespace = AdmissionCalls.object("v1", "namespaces", "{'metadata':{'name':'n'}}");
    MapNode annotations = MapNode.of("scheduler.alpha.kubernetes.io/" + key, Node.text(json));
    objects.put(
        "v1", "namespaces", namespace.withMeta(namespace.meta().with("annotations", annotations)));
  }

  @Test
  void tolerations_ofTheNamespaceAreAdded() {
    tolerations("defaultTolerations", "[" + ONE + "]");
    PodTolerationRestriction plugin = new PodTolerationRestriction(objects, MapNode.EMPTY);

    assertThat(LocalApi.json(spec(plugin, pod("{}"))))
        .isEqualTo("{'tolerations':[{'key':'a','operator':'Exists'}]}");
    // a pod that reserves memory stays on nodes under memory pressure
    assertThat(
            LocalApi.json(
                spec(plugin, pod("{'containers':[{'resources':{'requests':{'memory':'1Mi'}}}]}"))))
        .contains(
            "'tolerations':[{'key':'a','operator':'Exists'},"
                + "{'key':'node.kubernetes.io/memory-pressure','operator':'Exists',"
                + "'effect':'NoSchedule'}]");
    // the wider one of two remains
    assertThat(
            LocalApi.json(
                spec(
                    plugin, pod("{'tolerations':[{'key':'a','value':'v','effect':'NoExecute'}]}"))))
        .isEqualTo("{'tolerations':[{'key':'a','operator':'Exists'}]}");
  }

  @Test
  void whitelistOfTheCluster_isForNamespacesWithoutTheirOwn() {
    PodTolerationRestriction plugin =
        new PodTolerationRestriction(
            objects, AdmissionCalls.tree("{'whitelist':[{'key':'a','operator':'Exists'}]}"));
    AdmissionAttributes call = pod("{'tolerations':[{'key':'b','operator':'Exists'}]}");
    namespace("");

    assertThatThrownBy(() -> plugin.validate(call))
        .hasMessage(
            "pod tolerations (possibly merged with namespace default tolerations) conflict with"
                + " its cluster whitelist");
    namespace("'scheduler.alpha.kubernetes.io/tolerationsWhitelist':''");
    plugin.validate(call);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'key':'a','operator':'Exists'} | true",
        "{'key':'a','value':'v','effect':'NoSchedule'} | true",
        "{'key':'b','operator':'Exists'} | false",
        "{'operator':'Exists'} | false"
      })
  void tolerations_mustBeCoveredByTheWhitelist(String toleration, boolean allowed) {
    tolerations("tolerationsWhitelist", "[" + ONE + "]");
    PodTolerationRestriction plugin = new PodTolerationRestriction(objects, MapNode.EMPTY);
    AdmissionAttributes call = pod("{'tolerations':[" + toleration + "]}");

    if (allowed) {
      plugin.validate(call);
    } else {
      assertThatThrownBy(() -> plugin.validate(call))
          .hasMessage(
              "pod tolerations (possibly merged with namespace default tolerations) conflict with"
                  + " its namespace whitelist");
    }
  }

  /** Allows what it is told, as {@code verb resource[/subresource] name}. */
  private static final class Listed implements Authorizer {
    private final Set<String> allowed = new HashSet<>();

    @Override
    public Decision authorize(Attributes attributes) {
      String text =
          attributes.target() instanceof Attributes.Resource target
              ? attributes.verb() + " " + target.combined() + " " + target.name()
              : "";
      return allowed.contains(text) ? Decision.Allow.PLAIN : Decision.NoOpinion.PLAIN;
    }

    @Override
    public ResolvedRules rules(UserInfo user, String namespace) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void owners_needPermissionOnTheObjectAndTheOwner() {
    Listed authorizer = new Listed();
    OwnerReferencesPermissionEnforcement plugin =
        new OwnerReferencesPermissionEnforcement(authorizer, CATALOG);
    String json =
        "{'metadata':{'name':'p','namespace':'n','ownerReferences':[{'apiVersion':'%s',"
            + "'kind':'%s','name':'o','uid':'1','blockOwnerDeletion':%b}]}}";
    ApiObject blocking =
        AdmissionCalls.object("v1", "pods", json.formatted("apps/v1", "ReplicaSet", true));
    ApiObject plain =
        AdmissionCalls.object("v1", "pods", json.formatted("apps/v1", "ReplicaSet", false));
    ApiObject unknown = AdmissionCalls.object("v1", "pods", json.formatted("x/v1", "Y", true));

    assertThatThrownBy(() -> plugin.validate(calls.create("v1", "pods", plain)))
        .hasMessage(
            "pods \"p\" is forbidden: cannot set an ownerRef on a resource you can't delete: ,"
                + " <nil>");
    authorizer.allowed.add("delete pods p");
    plugin.validate(calls.create("v1", "pods", plain));
    assertThatThrownBy(() -> plugin.validate(calls.update("v1", "pods", blocking, plain)))
        .hasMessageContaining(
            "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set"
                + " finalizers on: , <nil>");
    assertThatThrownBy(() -> plugin.validate(calls.create("v1", "pods", unknown)))
        .hasMessageContaining("cannot find RESTMapping for APIVersion x/v1 Kind Y");
    authorizer.allowed.add("update replicasets/finalizers o");
    plugin.validate(calls.create("v1", "pods", blocking));
    authorizer.allowed.clear();
    plugin.validate(calls.update("v1", "pods", blocking, blocking));
    assertThat(plugin.handles(Verb.UPDATE, new GroupResource("", "pods"), "status")).isFalse();
  }

  @Test
  void clientCertificates_areNotOfTheGroupOfMasters() throws Exception {
    CertificateSubjectRestriction plugin = new CertificateSubjectRestriction();

    plugin.validate(request("kubernetes.io/kube-apiserver-client", "CN=a,O=dev"));
    plugin.validate(request("example.com/any", "CN=a,O=system:masters"));
    AdmissionAttributes masters =
        request("kubernetes.io/kube-apiserver-client", "CN=a,O=dev,O=system:masters");
    assertThatThrownBy(() -> plugin.validate(masters))
        .hasMessage(
            "certificatesigningrequests.certificates.k8s.io \"r\" is forbidden: use of"
                + " kubernetes.io/kube-apiserver-client signer with system:masters group is not"
                + " allowed");
    AdmissionAttributes broken =
        csr("kubernetes.io/kube-apiserver-client", "-----BEGIN X-----\n-----END X-----\n");
    assertThatThrownBy(() -> plugin.validate(broken))
        .hasMessageContaining("failed to parse CSR: PEM block type must be CERTIFICATE REQUEST");
  }

  private AdmissionAttributes request(String signer, String subject)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    KeyPair keys = generator.generateKeyPair();
    byte[] der =
        new JcaPKCS10CertificationRequestBuilder(new X500Name(subject), keys.getPublic())
            .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
            .getEncoded();
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(new PemObject("CERTIFICATE REQUEST", der));
    }
    return csr(signer, text.toString());
  }

  private AdmissionAttributes csr(String signer, String pem) {
    String base64 = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    return calls.create(
        "certificates.k8s.io/v1",
        "certificatesigningrequests",
        AdmissionCalls.object(
            "certificates.k8s.io/v1",
            "certificatesigningrequests",
            "{'metadata':{'name':'r'},'spec':{'signerName':'%s','request':'%s'}}"
                .formatted(signer, base64)));
  }
}

package dev.keelson.admission.plugin.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.AdmissionRequest;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.LocalApi;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.bouncycastle.asn1.pkcs.CertificationRequestInfo;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Expected answers: derived by hand from the NodeRestriction plugin of Kubernetes 1.36, not
 * captured from a server.
 */
@Timeout(120)
class NodeRestrictionTest {

  private static final UserInfo NODE =
      new UserInfo("system:node:one", "", List.of("system:nodes"), Map.of());
  private static final String MIRROR =
      """
      {'metadata':{'name':'p','annotations':{'kubernetes.io/config.mirror':'x'},
        'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'one','uid':'u1',
          'controller':true}]},
       'spec':{'nodeName':'one','containers':[{'name':'c','image':'i'}]EXTRA}}
      """;

  private final LocalApi api;
  private final Map<String, ApiObject> known = new HashMap<>();
  private final NodeRestriction step = new NodeRestriction(new Known(), new RegistryOnly());

  private final class Known implements ClusterObjects {
    @Override
    public Optional<ApiObject> serviceAccount(String namespace, String name) {
      return Optional.empty();
    }

    @Override
    public List<ApiObject> priorityClasses() {
      return List.of();
    }

    @Override
    public Optional<ApiObject> runtimeClass(String name) {
      return Optional.empty();
    }

    @Override
    public Optional<ApiObject> find(GroupVersionResource resource, String namespace, String name) {
      return Optional.ofNullable(known.get(resource.resource() + "/" + name));
    }

    @Override
    public Optional<ApiObject> priorityClass(String name) {
      return Optional.empty();
    }

    @Override
    public List<Supplier<ApiObject>> list(GroupVersionResource resource, String namespace) {
      return List.of();
    }
  }

  NodeRestrictionTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    known.put("nodes/one", object("{'metadata':{'name':'one','uid':'u1'}}"));
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void others_areNotRestricted() {
    UserInfo other = new UserInfo("system:node:one", "", List.of("users"), Map.of());

    assertThatCode(() -> write(other, "v1", "nodes", "", "two", object("{}"), null))
        .doesNotThrowAnyException();
  }

  @Test
  void node_withoutAName_isRefused() {
    UserInfo nameless = new UserInfo("system:node:", "", List.of("system:nodes"), Map.of());

    assertThatThrownBy(() -> write(nameless, "v1", "configmaps", "", "c", object("{}"), null))
        .hasMessageEndingWith("could not determine node from user \"system:node:\"");
  }

  @Test
  void mirrorPod_ofTheNode_isCreated() {
    assertThatCode(() -> create("v1", "pods", mirror(""))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ",'serviceAccountName':'a'|a service account",
        ",'volumes':[{'name':'v','secret':{'secretName':'s'}}]|secrets",
        ",'imagePullSecrets':[{'name':'s'}]|secrets",
        ",'volumes':[{'name':'v','configMap':{'name':'s'}}]|configmaps",
        ",'volumes':[{'name':'v','projected':{'sources':[{'configMap':{'name':'s'}}]}}]|configmaps",
        ",'volumes':[{'name':'v','projected':{'sources':[{'clusterTrustBundle':{}}]}}]"
            + "|clustertrustbundles",
        ",'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'s'}}]|persistentvolumeclaims",
        ",'resourceClaims':[{'name':'r'}]|resourceclaims",
        ",'initContainers':[{'envFrom':[{'secretRef':{'name':'s'}}]}]|secrets",
      },
      quoteCharacter = '"')
  void mirrorPod_refersToNothing(String extra, String what) {
    assertThatThrownBy(() -> create("v1", "pods", mirror(extra)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.FORBIDDEN))
        .hasMessage(
            "pods \"p\" is forbidden: node \"one\" can not create pods that reference " + what);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'nodeName':'one'|'nodeName':'two'|node \"one\" can only create pods with spec.nodeName set"
            + " to itself",
        "'kind':'Node'|'kind':'Pod'|node \"one\" can only create pods with an owner reference set"
            + " to itself",
        "'controller':true|'controller':false|node \"one\" can only create pods with a controller"
            + " owner reference set to itself",
        "'controller':true|'controller':true,'blockOwnerDeletion':true|node \"one\" must not set"
            + " blockOwnerDeletion on an owner reference",
        "'uid':'u1'|'uid':'u2'|node one UID mismatch: expected u2 got u1",
        "config.mirror|config.other|pod does not have \"kubernetes.io/config.mirror\" annotation,"
            + " node \"one\" can only create mirror pods",
      },
      quoteCharacter = '~')
  void pod_thatIsNoMirrorOfTheNode_isRefused(String from, String to, String why) {
    ApiObject pod = object(MIRROR.replace("EXTRA", "").replace(from, to));

    assertThatThrownBy(() -> create("v1", "pods", pod))
        .hasMessage("pods \"p\" is forbidden: " + why);
  }

  @Test
  void podStatus_isWrittenByItsNodeAlone() {
    ApiObject own = object("{'metadata':{'name':'p'},'spec':{'nodeName':'one'}}");
    ApiObject other = object("{'metadata':{'name':'p'},'spec':{'nodeName':'two'}}");
    ApiObject labelled =
        object("{'metadata':{'name':'p','labels':{'a':'b'}},'spec':{'nodeName':'one'}}");

    assertThatCode(() -> write(NODE, "v1", "pods", "status", "p", own, own))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> write(NODE, "v1", "pods", "status", "p", other, other))
        .hasMessage(
            "pods \"p\" is forbidden: node \"one\" can only update pod status for pods with"
                + " spec.nodeName set to itself");
    assertThatThrownBy(() -> write(NODE, "v1", "pods", "status", "p", labelled, own))
        .hasMessageEndingWith("node \"one\" cannot update labels through pod status");
    assertThatThrownBy(() -> write(NODE, "v1", "pods", "", "p", own, own))
        .hasMessageEndingWith(
            "unexpected operation \"UPDATE\", node \"one\" can only create and delete mirror pods");
    assertThatThrownBy(() -> write(NODE, "v1", "pods", "ephemeralcontainers", "p", own, own))
        .hasMessageEndingWith(
            "unexpected pod subresource \"ephemeralcontainers\", only 'status' and 'eviction' are"
                + " allowed");
  }

  @Test
  void pods_areDeletedAndEvictedByTheirNodeAlone() {
    ApiObject other = object("{'metadata':{'name':'p'},'spec':{'nodeName':'two'}}");
    known.put("pods/p", other);

    assertThatThrownBy(
            () -> step.mutateDelete(call(NODE, Verb.DELETE, "v1", "pods", "", "p", null, other)))
        .hasMessageEndingWith("node \"one\" can only delete pods with spec.nodeName set to itself");
    assertThatThrownBy(
            () ->
                step.mutate(
                    call(NODE, Verb.CREATE, "v1", "pods", "eviction", "p", null, null), other))
        .hasMessageEndingWith("node one can only evict pods with spec.nodeName set to itself");
    known.clear();
    assertThatThrownBy(
            () ->
                step.mutate(
                    call(NODE, Verb.CREATE, "v1", "pods", "eviction", "p", null, null), other))
        .hasMessage("pods \"p\" not found");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'metadata':{'labels':{'kubernetes.io/hostname':'h','x':'y'}}}|",
        "{'metadata':{'labels':{'kubelet.kubernetes.io/a':'h','a.node.kubernetes.io/b':'y'}}}|",
        "{'metadata':{'labels':{'node-restriction.kubernetes.io/a':'h','k8s.io/b':'c'}}}"
            + "|is not allowed to modify labels: k8s.io/b, node-restriction.kubernetes.io/a",
        "{'spec':{'taints':[{'key':'a','effect':'NoSchedule'}]}}"
            + "|node \"one\" is not allowed to modify taints",
        "{'metadata':{'ownerReferences':[{'name':'x'}]}}"
            + "|node \"one\" is not allowed to modify ownerReferences",
        "{'spec':{'configSource':{}}}"
            + "|node \"one\" is not allowed to update configSource to a new non-nil configSource",
      },
      quoteCharacter = '~')
  void node_changesNothingThatSteersWork(String next, @Nullable String why) {
    ApiObject before = object("{'metadata':{'name':'one'}}");

    if (why == null) {
      assertThatCode(() -> write(NODE, "v1", "nodes", "", "one", object(next), before))
          .doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> write(NODE, "v1", "nodes", "", "one", object(next), before))
          .hasMessage("nodes \"one\" is forbidden: " + why);
    }
  }

  @Test
  void otherNodesObjects_areRefused() {
    assertThatThrownBy(
            () -> write(NODE, "v1", "nodes", "status", "two", object("{}"), object("{}")))
        .hasMessage(
            "nodes \"two\" is forbidden: node \"one\" is not allowed to modify node \"two\"");
    assertThatThrownBy(
            () ->
                write(NODE, "storage.k8s.io/v1", "csinodes", "", "two", object("{}"), object("{}")))
        .hasMessageEndingWith("can only access CSINode with the same name as the requesting node");
    assertThatThrownBy(
            () -> create("coordination.k8s.io/v1", "leases", object("{'metadata':{'name':'one'}}")))
        .hasMessageEndingWith("can only access leases in the \"kube-node-lease\" system namespace");
  }

  @Test
  void slices_areCreatedAndDeletedByTheirNodeAlone() {
    String group = "resource.k8s.io/v1";
    ApiObject own = object("{'metadata':{'name':'s'},'spec':{'nodeName':'one'}}");

    assertThatCode(() -> create(group, "resourceslices", own)).doesNotThrowAnyException();
    assertThatCode(() -> step.mutateDelete(sliceDelete(own))).doesNotThrowAnyException();
    for (String spec : List.of("{'nodeName':'two'}", "{'allNodes':true}")) {
      ApiObject other = object("{'metadata':{'name':'s'},'spec':" + spec + "}");

      assertThatThrownBy(() -> create(group, "resourceslices", other))
          .hasMessage(
              "resourceslices.resource.k8s.io \"s\" is forbidden: can only create ResourceSlice"
                  + " with the same NodeName as the requesting node");
      assertThatThrownBy(() -> step.mutateDelete(sliceDelete(other)))
          .hasMessageEndingWith(
              "can only delete ResourceSlice with the same NodeName as the requesting node");
      assertThatCode(() -> write(NODE, group, "resourceslices", "", "s", other, other))
          .doesNotThrowAnyException();
    }
  }

  private AdmissionAttributes sliceDelete(ApiObject current) {
    return call(NODE, Verb.DELETE, "resource.k8s.io/v1", "resourceslices", "", "s", null, current);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes.io/kubelet-serving|system:node:one|",
        "kubernetes.io/kube-apiserver-client-kubelet|system:node:one|",
        "kubernetes.io/kubelet-serving|system:node:two|can only create a node CSR with"
            + " CN=system:node:one",
        "kubernetes.io/kube-apiserver-client-kubelet|jane|can only create a node CSR with"
            + " CN=system:node:one",
        "kubernetes.io/kube-apiserver-client|jane|",
        "example.com/own|jane|",
      })
  void certificateOfAKubelet_isOfItsNode(String signer, String subject, @Nullable String why)
      throws GeneralSecurityException, IOException {
    ApiObject request =
        object(
            "{'metadata':{'name':'r'},'spec':{'signerName':'"
                + signer
                + "','request':'"
                + request(subject)
                + "'}}");

    if (why == null) {
      assertThatCode(() -> create("certificates.k8s.io/v1", "certificatesigningrequests", request))
          .doesNotThrowAnyException();
    } else {
      assertThatThrownBy(
              () -> create("certificates.k8s.io/v1", "certificatesigningrequests", request))
          .hasMessage("certificatesigningrequests.certificates.k8s.io \"r\" is forbidden: " + why);
    }
  }

  @Test
  void certificateRequestThatCannotBeRead_isForbidden() {
    ApiObject request =
        object(
            "{'metadata':{'name':'r'},'spec':{'signerName':'kubernetes.io/kubelet-serving',"
                + "'request':'eA=='}}");

    assertThatThrownBy(
            () -> create("certificates.k8s.io/v1", "certificatesigningrequests", request))
        .hasMessageEndingWith("unable to parse csr: PEM block type must be CERTIFICATE REQUEST");
  }

  /** A request in PEM, in base64. */
  private static String request(String commonName) throws GeneralSecurityException, IOException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    CertificationRequest request =
        new CertificationRequest(
            new CertificationRequestInfo(
                new X500NameBuilder().addRDN(BCStyle.CN, commonName).build(),
                SubjectPublicKeyInfo.getInstance(
                    generator.generateKeyPair().getPublic().getEncoded()),
                new DERSet()),
            new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256),
            // signatures are not verified
            new DERBitString(new byte[] {0}));
    String pem =
        "-----BEGIN CERTIFICATE REQUEST-----\n"
            + Base64.getMimeEncoder().encodeToString(request.getEncoded())
            + "\n-----END CERTIFICATE REQUEST-----\n";
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void claim_isReportedOn() {
    ApiObject before = object("{'metadata':{'name':'p'},'status':{'phase':'Bound'}}");
    ApiObject grown =
        object("{'metadata':{'name':'p'},'status':{'phase':'Bound','capacity':{'storage':'1Gi'}}}");

    assertThatCode(() -> write(NODE, "v1", "persistentvolumeclaims", "status", "p", grown, before))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () ->
                write(
                    NODE,
                    "v1",
                    "persistentvolumeclaims",
                    "status",
                    "p",
                    object("{'metadata':{'name':'p'},'status':{'phase':'Lost'}}"),
                    before))
        .hasMessageContaining(
            "is not allowed to update fields other than status.quantity and status.conditions");
    assertThatThrownBy(() -> write(NODE, "v1", "persistentvolumeclaims", "", "p", grown, before))
        .hasMessageEndingWith("may only update PVC status");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|node requested token not bound to a pod",
        "{'boundObjectRef':{'kind':'Node','apiVersion':'v1','name':'one'}}"
            + "|node requested token not bound to a pod",
        "{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p'}}"
            + "|node requested token with a pod binding without a uid",
        "{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p','uid':'x'}}"
            + "|the UID in the bound object reference (x) does not match the UID in record. The"
            + " object might have been deleted and then recreated",
        "{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'far','uid':'f'}}"
            + "|node requested token bound to a pod scheduled on a different node",
        "{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p','uid':'u'},"
            + "'audiences':['db']}|",
        "{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p','uid':'u'},"
            + "'audiences':['vault']}|",
        "{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p','uid':'u'},"
            + "'audiences':['registry']}|",
        "{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p','uid':'u'},"
            + "'audiences':['x']}|audience \"x\" not found in pod spec volume, system:node:one is"
            + " not authorized to request tokens for this audience",
        "{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p','uid':'u'}}|audience \"\" not"
            + " found in pod spec volume, system:node:one is not authorized to request tokens for"
            + " this audience",
        "{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p','uid':'u'},"
            + "'audiences':['db','x']}|node may only request 0 or 1 audiences",
      },
      quoteCharacter = '~')
  void token_isOfAPodOfTheNode_andForWhomItsVolumesName(String spec, @Nullable String why) {
    known.put(
        "pods/p",
        object(
            """
            {'metadata':{'name':'p','namespace':'default','uid':'u'},'spec':{'nodeName':'one',
             'volumes':[{'projected':{'sources':[{'serviceAccountToken':{'audience':'db'}}]}},
                        {'persistentVolumeClaim':{'claimName':'data'}}]}}
            """));
    known.put("persistentvolumeclaims/data", object("{'spec':{'volumeName':'disk'}}"));
    known.put("persistentvolumes/disk", object("{'spec':{'csi':{'driver':'d'}}}"));
    known.put("csidrivers/d", object("{'spec':{'tokenRequests':[{'audience':'vault'}]}}"));
    known.put("pods/far", object("{'metadata':{'uid':'f'},'spec':{'nodeName':'two'}}"));
    AdmissionAttributes call =
        call(
            NODE,
            Verb.CREATE,
            "v1",
            "serviceaccounts",
            "token",
            "robot",
            object("{'spec':" + spec + "}"),
            null);

    if (why == null) {
      assertThatCode(() -> step.mutate(call, Objects.requireNonNull(call.object())))
          .doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> step.mutate(call, Objects.requireNonNull(call.object())))
          .hasMessage("serviceaccounts \"robot\" is forbidden: " + why);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'csi':{'driver':'d'}}|vault|",
        "{'csi':{'driver':'d'}}|x|audience \"x\" not found in pod spec volume",
        "{'csi':{'driver':'none'}}|vault|error validating audience \"vault\":"
            + " csidriver.storage.k8s.io \"none\" not found",
        "{'csi':{'driver':'none'}},{'csi':{'driver':'d'}}|vault|",
        "{'csi':{'driver':'none'}},{'persistentVolumeClaim':{'claimName':'lost'}}|registry"
            + "|error validating audience \"registry\": [csidriver.storage.k8s.io \"none\" not"
            + " found, persistentvolumeclaim \"lost\" not found]",
        "{'persistentVolumeClaim':{'claimName':'data'}}|vault|",
        "{'name':'e','ephemeral':{'volumeClaimTemplate':{}}}|vault|",
        "{'persistentVolumeClaim':{'claimName':'lost'}}|vault|error validating audience \"vault\":"
            + " persistentvolumeclaim \"lost\" not found",
        "{'persistentVolumeClaim':{'claimName':'unbound'}}|vault|error validating audience"
            + " \"vault\": persistentvolume \"\" not found",
        "{'persistentVolumeClaim':{'claimName':'dangling'}}|vault|error validating audience"
            + " \"vault\": persistentvolume \"gone\" not found",
        "{'persistentVolumeClaim':{'claimName':'shared'}}|files|",
        "{'azureFile':{'shareName':'s','secretName':'t'}}|files|",
        "{'emptyDir':{}}|files|audience \"files\" not found in pod spec volume"
      })
  void audience_isFoundByTheDriverOfAVolume(String volumes, String audience, @Nullable String why) {
    known.put(
        "pods/p",
        object(
            "{'metadata':{'name':'p','namespace':'default','uid':'u'},'spec':{'nodeName':'one',"
                + "'volumes':["
                + volumes
                + "]}}"));
    known.put("persistentvolumeclaims/data", object("{'spec':{'volumeName':'disk'}}"));
    known.put("persistentvolumeclaims/p-e", object("{'spec':{'volumeName':'disk'}}"));
    known.put("persistentvolumeclaims/unbound", object("{'spec':{}}"));
    known.put("persistentvolumeclaims/dangling", object("{'spec':{'volumeName':'gone'}}"));
    known.put("persistentvolumeclaims/shared", object("{'spec':{'volumeName':'share'}}"));
    known.put("persistentvolumes/disk", object("{'spec':{'csi':{'driver':'d'}}}"));
    known.put("persistentvolumes/share", object("{'spec':{'azureFile':{'secretName':'t'}}}"));
    known.put("csidrivers/d", object("{'spec':{'tokenRequests':[{'audience':'vault'}]}}"));
    known.put(
        "csidrivers/file.csi.azure.com",
        object("{'spec':{'tokenRequests':[{'audience':'files'}]}}"));
    ApiObject request =
        object(
            "{'spec':{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p','uid':'u'},"
                + "'audiences':['"
                + audience
                + "']}}");
    AdmissionAttributes call =
        call(NODE, Verb.CREATE, "v1", "serviceaccounts", "token", "robot", request, null);

    if (why == null) {
      assertThatCode(() -> step.mutate(call, request)).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> step.mutate(call, request))
          .hasMessageStartingWith("serviceaccounts \"robot\" is forbidden: " + why);
    }
  }

  /** Lets the node have tokens of the account {@code robot} made for the registry. */
  private static final class RegistryOnly implements Authorizer {
    @Override
    public Decision authorize(Attributes asked) {
      return asked.equals(
              new Attributes(
                  NODE,
                  "request-serviceaccounts-token-audience",
                  new Attributes.Resource("", "v1", "registry", "", "default", "robot", "", "")))
          ? Decision.Allow.PLAIN
          : Decision.NoOpinion.PLAIN;
    }

    @Override
    public ResolvedRules rules(UserInfo user, String namespace) {
      return ResolvedRules.NONE;
    }
  }

  private static ApiObject mirror(String extra) {
    return object(MIRROR.replace("EXTRA", extra));
  }

  private void create(String version, String resource, ApiObject object) {
    write(NODE, version, resource, "", object.meta().name(), object, null);
  }

  private void write(
      UserInfo user,
      String version,
      String resource,
      String subresource,
      String name,
      ApiObject object,
      @Nullable ApiObject current) {
    Verb verb = current == null ? Verb.CREATE : Verb.UPDATE;
    AdmissionAttributes call =
        call(user, verb, version, resource, subresource, name, object, current);
    assertThat(step.mutate(call, object)).isSameAs(object);
    step.validate(call);
  }

  private AdmissionAttributes call(
      UserInfo user,
      Verb verb,
      String version,
      String resource,
      String subresource,
      String name,
      @Nullable ApiObject object,
      @Nullable ApiObject current) {
    return new AdmissionAttributes(
        verb,
        api.definition(version, resource),
        subresource,
        "default",
        name,
        object,
        current,
        AdmissionRequest.of(user, false, warning -> {}));
  }

  private static ApiObject object(String json) {
    return new ApiObject(
        (MapNode)
            ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }
}

package dev.keelson.schema.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.json.Excerpt;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Cells, written as {@code a | b | c}; objects are JSON with single quotes. */
@Timeout(120)
class TablesTest {

  private static final Instant NOW = Instant.parse("2025-01-01T01:00:00Z");

  /** Comes before every object's own fields. */
  private static final String META =
      "'metadata':{'name':'x','creationTimestamp':'2025-01-01T00:00:00Z'}";

  private static MapNode tree(String json) {
    return (MapNode)
        ObjectReader.untypedJson(
                json.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                FieldValidation.IGNORE,
                TreeBudget.unbounded())
            .root();
  }

  /** The table of the built-in kind of that name, or the plain one. */
  private static TableDefinition table(String kind) {
    String group =
        Tables.kinds().stream()
            .filter(each -> each.kind().equals(kind))
            .map(TableRows.GroupKind::group)
            .findFirst()
            .orElse("");
    return Tables.of(new GroupVersionKind(group, "v1", kind));
  }

  private static TableDefinition.Printed print(String kind, String fields) {
    String object = fields.startsWith("'metadata'") ? fields : META + ", " + fields;
    MapNode tree = tree("{" + object + "}");
    TableDefinition.Printed printed = table(kind).row(tree, NOW);
    assertThat(table(kind).row(read(table(kind), tree), NOW)).isEqualTo(printed);
    CellTemplate template = CellTemplate.of(table(kind), tree, TablesTest::json);
    assertThat(List.of(NOW, NOW.plus(Duration.ofDays(900)), NOW.minus(Duration.ofDays(900))))
        .allSatisfy(
            at -> assertThat(written(template, at)).isEqualTo(json(table(kind).row(tree, at))));
    return printed;
  }

  static byte[] written(CellTemplate template, Instant at) {
    ByteArrayOutputStream cells = new ByteArrayOutputStream();
    template.write(at, cells::write);
    return cells.toByteArray();
  }

  private static byte[] json(TableDefinition.Printed printed) {
    return ObjectWriter.json(new Node.Items(printed.cells()));
  }

  /** What the table says that it reads of an object. */
  private static MapNode read(TableDefinition table, MapNode tree) {
    byte[] json = ObjectWriter.json(tree);
    return Objects.requireNonNull(Excerpt.of(table.fields()).read(json, 0, json.length)).root();
  }

  private static String cells(String kind, String fields) {
    List<Node> cells = print(kind, fields).cells();
    return String.join(
        " | ",
        cells.stream()
            .map(cell -> cell instanceof Node.Bool bool ? "" + bool.value() : Text.value(cell, "?"))
            .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      textBlock =
          """
          'phase':'Pending' # 0/2 | Pending | 0
          'phase':'Pending','conditions':[{'type':'PodScheduled','status':'False','reason':'SchedulingGated'}] # 0/2 | SchedulingGated | 0
          'phase':'Failed','reason':'Evicted' # 0/2 | Evicted | 0
          'phase':'Running','containerStatuses':[{'ready':true,'state':{'running':{}}},{'ready':true,'state':{'running':{}}}] # 2/2 | Running | 0
          'phase':'Running','containerStatuses':[{'ready':true,'state':{'running':{}}},{'restartCount':5,'lastState':{'terminated':{'finishedAt':'2025-01-01T00:50:00Z'}},'state':{'waiting':{'reason':'CrashLoopBackOff'}}}] # 1/2 | CrashLoopBackOff | 5 (10m ago)
          'phase':'Running','containerStatuses':[{'restartCount':3,'state':{'terminated':{'exitCode':7}}}] # 0/2 | ExitCode:7 | 3
          'phase':'Running','containerStatuses':[{'state':{'terminated':{'exitCode':7,'signal':9}}}] # 0/2 | Signal:9 | 0
          'phase':'Failed','containerStatuses':[{'state':{'terminated':{'exitCode':137,'reason':'OOMKilled'}}}] # 0/2 | OOMKilled | 0
          'phase':'Running','containerStatuses':[{'state':{'terminated':{'reason':'Completed'}}},{'ready':true,'state':{'running':{}}}] # 1/2 | NotReady | 0
          'phase':'Running','conditions':[{'type':'Ready','status':'True'}],'containerStatuses':[{'state':{'terminated':{'reason':'Completed'}}},{'ready':true,'state':{'running':{}}}] # 1/2 | Running | 0
          'phase':'Succeeded','containerStatuses':[{'state':{'terminated':{'reason':'Completed'}}}] # 0/2 | Completed | 0
          'phase':'Pending','initContainerStatuses':[{'state':{'running':{}}}] # 0/2 | Init:0/1 | 0
          'phase':'Pending','initContainerStatuses':[{'state':{'waiting':{'reason':'PodInitializing'}}}] # 0/2 | Init:0/1 | 0
          'phase':'Pending','initContainerStatuses':[{'restartCount':2,'state':{'waiting':{'reason':'ImagePullBackOff'}}}] # 0/2 | Init:ImagePullBackOff | 2
          'phase':'Pending','initContainerStatuses':[{'state':{'terminated':{'exitCode':1,'reason':'Error'}}}] # 0/2 | Init:Error | 0
          'phase':'Pending','initContainerStatuses':[{'state':{'terminated':{'exitCode':3}}}] # 0/2 | Init:ExitCode:3 | 0
          'phase':'Running','initContainerStatuses':[{'restartCount':4,'state':{'terminated':{'exitCode':0}}}],'containerStatuses':[{'ready':true,'state':{'running':{}}}] # 1/2 | Running | 0
          """)
  void pod_statusIsOneWord(String status, String expected) {
    String spec =
        "'spec':{'containers':[{'name':'a'},{'name':'b'}],'initContainers':[{'name':'i'}]}";

    assertThat(cells("Pod", spec + ",'status':{" + status + "}"))
        .isEqualTo("x | " + expected + " | 60m | <none> | <none> | <none> | <none>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      textBlock =
          """
          'phase':'Running' # Terminating
          'phase':'Succeeded' # Succeeded
          'phase':'Running','reason':'NodeLost' # Unknown
          """)
  void pod_beingDeleted_isTerminatingUnlessItHasEnded(String status, String word) {
    String object = "'metadata':{'name':'x','deletionTimestamp':'2025-01-01T00:00:00Z'},'status':{";

    assertThat(cells("Pod", object + status + "}"))
        .isEqualTo("x | 0/0 | " + word + " | 0 | <unknown> | <none> | <none> | <none> | <none>");
  }

  @Test
  void pod_sidecarsCountAsContainers() {
    String spec =
        "'spec':{'containers':[{'name':'a'}],'nodeName':'n1','readinessGates':[{'conditionType':'g'}],"
            + "'initContainers':[{'name':'s','restartPolicy':'Always'}]}";
    String status =
        "'status':{'phase':'Running','podIPs':[{'ip':'10.0.0.1'}],'nominatedNodeName':'n2',"
            + "'conditions':[{'type':'g','status':'True'}],"
            + "'initContainerStatuses':[{'name':'s','started':true,'ready':true,'restartCount':1,"
            + "'state':{'running':{}}}],"
            + "'containerStatuses':[{'name':'a','ready':true,'state':{'running':{}}}]}";

    assertThat(cells("Pod", spec + "," + status))
        .isEqualTo("x | 2/2 | Running | 1 | 60m | 10.0.0.1 | n1 | n2 | 1/1");
  }

  @Test
  void pod_thatHasEnded_isMarkedSo() {
    Node mark = print("Pod", "'status':{'phase':'Succeeded'}").conditions().getFirst();

    assertThat(((MapNode) mark).text("type")).isEqualTo("Completed");
    assertThat(((MapNode) mark).text("reason")).isEqualTo("Succeeded");
    assertThat(print("Pod", "'status':{'phase':'Running'}").conditions()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      textBlock =
          """
          Node # 'status':{} # x | Unknown | <none> | 60m |  | <none> | <none> | <unknown> | <unknown> | <unknown>
          Node # 'metadata':{'name':'n','labels':{'node-role.kubernetes.io/worker':'','node-role.kubernetes.io/control-plane':'','kubernetes.io/role':'db'}},'spec':{'unschedulable':true},'status':{'conditions':[{'type':'Ready','status':'True'}],'addresses':[{'type':'InternalIP','address':'1.2.3.4'}],'nodeInfo':{'kubeletVersion':'v1','osImage':'OS'}} # n | Ready,SchedulingDisabled | control-plane,db,worker | <unknown> | v1 | 1.2.3.4 | <none> | OS | <unknown> | <unknown>
          Service # 'spec':{'type':'ClusterIP','clusterIP':'None'} # x | ClusterIP | None | <none> | <none> | 60m | <none>
          Service # 'spec':{'type':'NodePort','clusterIPs':['10.0.0.1'],'externalIPs':['9.9.9.9'],'selector':{'b':'2','a':'1'},'ports':[{'port':80,'nodePort':30080,'protocol':'TCP'},{'port':53,'protocol':'UDP'}]} # x | NodePort | 10.0.0.1 | 9.9.9.9 | 80:30080/TCP,53/UDP | 60m | a=1,b=2
          Service # 'spec':{'type':'LoadBalancer'} # x | LoadBalancer | <none> | <pending> | <none> | 60m | <none>
          Service # 'spec':{'type':'LoadBalancer','externalIPs':['9.9.9.9']},'status':{'loadBalancer':{'ingress':[{'hostname':'h'},{'ip':'1.1.1.1'}]}} # x | LoadBalancer | <none> | 1.1.1.1,h,9.9.9.9 | <none> | 60m | <none>
          Service # 'spec':{'type':'ExternalName','externalName':'example.com'} # x | ExternalName | <none> | example.com | <none> | 60m | <none>
          Endpoints # 'subsets':[] # x | <none> | 60m
          Endpoints # 'subsets':[{'addresses':[{'ip':'1.1.1.1'},{'ip':'::1'}],'ports':[{'port':80},{'port':81}]}] # x | 1.1.1.1:80,[::1]:80,1.1.1.1:81 + 1 more... | 60m
          EndpointSlice # 'addressType':'IPv4','ports':[],'endpoints':[] # x | IPv4 | <unset> | <unset> | 60m
          EndpointSlice # 'addressType':'IPv4','ports':[{'port':80},{}],'endpoints':[{'addresses':['a','b']},{'addresses':['c']},{'addresses':['d','e']}] # x | IPv4 | 80,* | a,b,c + 2 more... | 60m
          Ingress # 'spec':{} # x | <none> | * |  | 80 | 60m
          Ingress # 'spec':{'ingressClassName':'nginx','tls':[{}],'rules':[{'host':'a'},{'host':'b'},{'host':'c'},{'host':'d'}]},'status':{'loadBalancer':{'ingress':[{'ip':'1.1.1.1'}]}} # x | nginx | a,b,c + 1 more... | 1.1.1.1 | 80, 443 | 60m
          IngressClass # 'spec':{'controller':'c','parameters':{'apiGroup':'g.io','kind':'K','name':'n'}} # x | c | K.g.io/n | 60m
          NetworkPolicy # 'spec':{'podSelector':{'matchLabels':{'b':'1'},'matchExpressions':[{'key':'a','operator':'In','values':['z','y']},{'key':'c','operator':'DoesNotExist'}]}} # x | a in (y,z),b=1,!c | 60m
          Deployment # 'spec':{'replicas':3,'selector':{'matchLabels':{'app':'a'}},'template':{'spec':{'containers':[{'name':'a','image':'i:1'},{'name':'b','image':'i:2'}]}}},'status':{'readyReplicas':1,'updatedReplicas':2,'availableReplicas':1} # x | 1/3 | 2 | 1 | 60m | a,b | i:1,i:2 | app=a
          StatefulSet # 'spec':{'replicas':2} # x | 0/2 | 60m |  |
          ReplicaSet # 'spec':{'replicas':2},'status':{'replicas':2,'readyReplicas':1} # x | 2 | 2 | 1 | 60m |  |  | <none>
          ReplicationController # 'spec':{'replicas':2,'selector':{'a':'b'}} # x | 2 | 0 | 0 | 60m |  |  | a=b
          DaemonSet # 'spec':{'template':{'spec':{'nodeSelector':{'disk':'ssd'}}}},'status':{'desiredNumberScheduled':5,'currentNumberScheduled':4,'numberReady':3,'updatedNumberScheduled':2,'numberAvailable':1} # x | 5 | 4 | 3 | 2 | 1 | disk=ssd | 60m |  |  | <none>
          Job # 'spec':{'completions':3},'status':{'succeeded':3,'startTime':'2025-01-01T00:00:00Z','completionTime':'2025-01-01T00:00:42Z','conditions':[{'type':'Complete','status':'True'}]} # x | Complete | 3/3 | 42s | 60m |  |  | <none>
          Job # 'spec':{'parallelism':4},'status':{'succeeded':1,'startTime':'2025-01-01T00:58:00Z'} # x | Running | 1/1 of 4 | 2m | 60m |  |  | <none>
          Job # 'spec':{'suspend':true},'status':{'conditions':[{'type':'Suspended','status':'True'}]} # x | Suspended | 0/1 |  | 60m |  |  | <none>
          CronJob # 'spec':{'schedule':'* * * * *','suspend':false},'status':{'active':[{}],'lastScheduleTime':'2025-01-01T00:59:30Z'} # x | * * * * * | <none> | False | 1 | 30s | 60m |  |  | <none>
          CronJob # 'spec':{'schedule':'@daily','timeZone':'Europe/Paris'} # x | @daily | Europe/Paris | <unset> | 0 | <none> | 60m |  |  | <none>
          HorizontalPodAutoscaler # 'spec':{'scaleTargetRef':{'kind':'Deployment','name':'web'},'minReplicas':1,'maxReplicas':5,'metrics':[{'type':'Resource','resource':{'name':'cpu','target':{'averageUtilization':80}}}]} # x | Deployment/web | cpu: <unknown>/80% | 1 | 5 | 0 | 60m
          HorizontalPodAutoscaler # 'spec':{'scaleTargetRef':{'kind':'Deployment','name':'web'},'maxReplicas':5,'metrics':[{'type':'Resource','resource':{'name':'cpu','target':{'averageUtilization':80}}},{'type':'Pods','pods':{'target':{'averageValue':'10'}}},{'type':'External','external':{'target':{'value':'7'}}}]},'status':{'currentReplicas':2,'currentMetrics':[{'resource':{'current':{'averageUtilization':5}}},{'pods':{'current':{'averageValue':'3'}}}]} # x | Deployment/web | cpu: 5%/80%, 3/10 + 1 more... | <unset> | 5 | 2 | 60m
          PodDisruptionBudget # 'spec':{'maxUnavailable':'25%'},'status':{'disruptionsAllowed':2} # x | N/A | 25% | 2 | 60m
          PersistentVolume # 'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadOnlyMany','ReadWriteOnce'],'persistentVolumeReclaimPolicy':'Retain','claimRef':{'namespace':'n','name':'c'},'storageClassName':'fast','volumeMode':'Filesystem'},'status':{'phase':'Bound'} # x | 1Gi | RWO,ROX | Retain | Bound | n/c | fast | <unset> |  | 60m | Filesystem
          PersistentVolumeClaim # 'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'fast'},'status':{'phase':'Pending'} # x | Pending |  |  |  | fast | <unset> | 60m | <unset>
          PersistentVolumeClaim # 'spec':{'volumeName':'v'},'status':{'phase':'Bound','capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce']} # x | Bound | v | 1Gi | RWO |  | <unset> | 60m | <unset>
          StorageClass # 'metadata':{'name':'s','annotations':{'storageclass.kubernetes.io/is-default-class':'true'}},'provisioner':'p' # s (default) | p | Delete | Immediate | false | <unknown>
          Event # 'type':'Warning','reason':'Failed','involvedObject':{'kind':'Pod','name':'p','fieldPath':'spec'},'source':{'component':'kubelet','host':'n1'},'message':' bad ','firstTimestamp':'2025-01-01T00:00:00Z','lastTimestamp':'2025-01-01T00:59:00Z','count':3 # 60s | Warning | Failed | pod/p | spec | kubelet, n1 | bad | 60m | 3 | x
          Event # 'type':'Normal','involvedObject':{'kind':'Node'},'reportingComponent':'c','eventTime':'2025-01-01T00:59:00.000000Z' # 60s | Normal |  | node |  | c |  | 60s | 1 | x
          Secret # 'type':'Opaque','data':{'a':'','b':''} # x | Opaque | 2 | 60m
          ConfigMap # 'data':{'a':''},'binaryData':{'b':''} # x | 2 | 60m
          ResourceQuota # 'status':{'hard':{'pods':'5','limits.cpu':'2','cpu':'1'},'used':{'cpu':'500m'}} # x | cpu: 500m/1, pods: 0/5 | limits.cpu: 0/2 | 60m
          RoleBinding # 'roleRef':{'kind':'Role','name':'r'},'subjects':[{'kind':'User','name':'u'},{'kind':'User','name':'v'},{'kind':'Group','name':'g'},{'kind':'ServiceAccount','namespace':'n','name':'s'}] # x | Role/r | 60m | u, v | g | n/s
          CertificateSigningRequest # 'spec':{'signerName':'s','username':'u','expirationSeconds':3600},'status':{'certificate':'YQ==','conditions':[{'type':'Approved'}]} # x | 60m | s | u | 60m | Approved,Issued
          CertificateSigningRequest # 'spec':{'signerName':'s','username':'u'} # x | 60m | s | u | <none> | Pending
          ControllerRevision # 'metadata':{'name':'x','ownerReferences':[{'controller':true,'apiVersion':'apps/v1','kind':'DaemonSet','name':'d'}]},'revision':3 # x | daemonset.apps/d | 3 | <unknown>
          Role # 'rules':[] # x | 2025-01-01T00:00:00Z
          """)
  void cells_areThoseOfKubernetes(String kind, String object, String expected) {
    assertThat(cells(kind, object).strip()).isEqualTo(expected.strip());
  }

  @ParameterizedTest
  @CsvFileSource(resources = "cells.txt", delimiter = '~', maxCharsPerColumn = 4096)
  void cells_ofEveryKind_areThoseOfKubernetes(String kind, String object, String expected) {
    assertThat(cells(kind, object).strip()).isEqualTo(expected.strip());
  }

  @ParameterizedTest
  @CsvFileSource(resources = "columns.txt", delimiter = '~')
  void columns_haveTheNamesTypesAndPrioritiesOfKubernetes(String kind, String expected) {
    String columns =
        table(kind).columns().stream().map(TablesTest::described).collect(Collectors.joining(", "));

    assertThat(columns).isEqualTo(expected);
  }

  private static String described(Column column) {
    assertThat(column.description()).as(column.name()).endsWith(".");
    return column.name()
        + (column.format().isEmpty() ? "" : "(" + column.format() + ")")
        + (column.type().equals("string") ? "" : ":" + column.type())
        + (column.priority() == 0 ? "" : "*".repeat(column.priority()));
  }

  @Test
  void everyTable_fillsItsColumnsForAnEmptyObject() {
    for (TableRows.GroupKind kind : Tables.kinds()) {
      TableDefinition table = Tables.of(new GroupVersionKind(kind.group(), "v1", kind.kind()));

      assertThat(table.row(MapNode.EMPTY, NOW).cells())
          .as(kind.toString())
          .hasSameSizeAs(table.columns());
    }
    assertThat(Tables.kinds()).hasSizeGreaterThan(50);
  }
}

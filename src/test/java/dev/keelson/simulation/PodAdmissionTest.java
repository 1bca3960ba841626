package dev.keelson.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rows are cases of the kubelet's {@code predicate_test.go}. The node has four processors, room
 * for two pods and a taint of each effect; another pod uses one processor and the port 80.
 */
final class PodAdmissionTest {

  private static ApiObject object(String text) {
    return new ApiObject(CustomTypes.tree(text));
  }

  private static String requests(String list) {
    return "'containers':[{'name':'c','resources':{'requests':{"
        + list
        + "}}}],'tolerations':[{'operator':'Exists'}]";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'tolerations':[{'key':'evicts'}]       | 1 | none
          'tolerations':[{'key':'repels'}]       | 1 | TaintToleration: Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate
          'tolerations':[{'operator':'Exists'}],'nodeSelector':{'disk':'ssd'} | 1 | none
          'nodeSelector':{'disk':'hdd'}          | 1 | NodeAffinity: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector
          'os':{'name':'windows'}                | 1 | PodOSNotSupported: Failed to admit pod as the OS field doesn't match node OS
          'os':{'name':'linux'},'tolerations':[{'operator':'Exists'}] | 1 | none
          'containers':[{'name':'c','ports':[{'hostPort':80}]}] | 1 | NodePorts: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports
          cpu:3                                  | 1 | none
          cpu:3500m                              | 1 | OutOfcpu: Node didn't have enough resource: cpu, requested: 3500, used: 1000, capacity: 4000
          memory:2Gi                             | 1 | OutOfmemory: Node didn't have enough resource: memory, requested: 2147483648, used: 0, capacity: 1073741824
          example.com/gpu:2                      | 1 | OutOfexample.com/gpu: Node didn't have enough resource: example.com/gpu, requested: 2, used: 0, capacity: 1
          example.com/unknown:2                  | 1 | none
          cpu:1                                  | 2 | OutOfpods: Node didn't have enough resource: pods, requested: 1, used: 2, capacity: 2
          """)
  void rejection(String spec, int others, String expected) {
    ApiObject node =
        object(
            "{'metadata':{'name':'n','labels':{'disk':'ssd'}},'spec':{'taints':[{'key':'repels','effect':'NoSchedule'},"
                + "{'key':'evicts','effect':'NoExecute'}]},'status':{'allocatable':{'cpu':'4','memory':'1Gi','pods':'2','example.com/gpu':'1'}}}");
    ApiObject other =
        object(
            "{'spec':{'containers':[{'name':'c','ports':[{'hostPort':80}],'resources':{'requests':{'cpu':'1'}}}]}}");
    String[] resource = spec.startsWith("'") ? new String[0] : spec.split(":", -1);
    String text =
        resource.length == 0 ? spec : requests("'" + resource[0] + "':'" + resource[1] + "'");

    Optional<PodAdmission.Rejection> rejection =
        new PodAdmission(
                object("{'metadata':{'name':'p'},'spec':{" + text + "}}"),
                node,
                List.of(other, other).subList(0, others))
            .rejection();

    assertThat(rejection.map(each -> each.reason() + ": " + each.message()).orElse("none"))
        .isEqualTo(expected);
  }
}

package dev.keelson.scheduler.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import dev.keelson.value.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rows are cases of the allocators' suite {@code allocator_testing.go} and of {@code
 * dynamicresources_test.go}. Driver, node and pool have the names d, n and n.
 */
final class DeviceNeedsTest {

  private final List<Slice> slices = new ArrayList<>();
  private final Map<String, DeviceClass> classes = new HashMap<>();
  private final Set<DeviceId> allocated = new HashSet<>();
  private final Map<DeviceId, Map<String, Quantity>> consumed = new HashMap<>();
  private final List<Claim> claims = new ArrayList<>();
  private final Set<Claim> lost = new HashSet<>();
  private DeviceNeeds.Extended extended = DeviceNeeds.Extended.NONE;

  private static ApiObject object(String text) {
    return new ApiObject(CustomTypes.tree(text));
  }

  private void slice(String spec) {
    slices.add(Slice.of(object("{'spec':{'driver':'d'," + spec + "}}")));
  }

  /** The only slice of the pool of the node. */
  private void local(String devices) {
    slice(
        "'nodeName':'n','pool':{'name':'n','generation':1,'resourceSliceCount':1},'devices':["
            + devices
            + "]");
  }

  private void deviceClass(String name, String spec) {
    classes.put(
        name,
        DeviceClass.of(object("{'metadata':{'name':'%s'},'spec':{%s}}".formatted(name, spec))));
  }

  private void claim(String devices, String status) {
    String name = "c" + claims.size();
    claims.add(
        Claim.of(
            object(
                ("{'metadata':{'name':'%s','namespace':'default','uid':'%s'},"
                        + "'spec':{'devices':{%s}},'status':{%s}}")
                    .formatted(name, name, devices, status))));
  }

  private DeviceNeeds needs() {
    return new DeviceNeeds(
        claims,
        lost,
        extended,
        new DeviceNeeds.Cluster(classes, new PoolIndex(slices), allocated, consumed, () -> 0),
        new Selectors());
  }

  /** {@code REQUEST=DEVICE} of all claims, or why there are none. */
  private String result() {
    DeviceNeeds needs = needs();
    String refusal = needs.refusal("n", Map.of("zone", "a"), Map.of());
    return refusal.isEmpty()
        ? needs.allocations("n").values().stream()
            .flatMap(each -> each.map("devices").maps("results").stream())
            .map(each -> each.text("request") + "=" + each.text("device"))
            .collect(Collectors.joining(" "))
        : refusal;
  }

  /** Devices {@code NAME[:MODEL[:SIZE]]}. */
  private static String devices(String list) {
    return Arrays.stream(list.split(" ", -1))
        .map(each -> each.split(":", -1))
        .map(
            each ->
                "{'name':'%s','attributes':{'model':{'string':'%s'},'v':{'version':'1.2.3'}},'capacity':{'memory':{'value':'%s'}}}"
                    .formatted(
                        each[0],
                        each.length > 1 ? each[1] : "m",
                        each.length > 2 ? each[2] : "1Gi"))
        .collect(Collectors.joining(","));
  }

  private static String exactly(String name, String more) {
    return "{'name':'%s','exactly':{'deviceClassName':'any'%s}}".formatted(name, more);
  }

  private static String cel(String expression) {
    return ",'selectors':[{'cel':{'expression':'" + expression.replace("'", "\\'") + "'}}]";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          one of two          | a b       |     | ,'count':1               | r=a
          the other is used   | a b       | a   | ,'count':1               | r=b
          two                 | a b c     | b   | ,'count':2               | r=a r=c
          too few             | a b       | b   | ,'count':2               | cannot allocate all claims
          all                 | a b c     |     | ,'allocationMode':'All'  | r=a r=b r=c
          all, one is used    | a b c     | b   | ,'allocationMode':'All'  | cannot allocate all claims
          more than 32        | a b c     |     | ,'count':33              | claim default/c0: number of requested devices 33 exceeds the claim limit of 32
          admin access        | a b       | a   | ,'count':2,'adminAccess':true | r=a r=b
          """)
  void request(
      String name, String devices, @Nullable String used, String request, String expected) {
    local(devices(devices));
    deviceClass("any", "");
    if (used != null) {
      allocated.add(new DeviceId("d", "n", used));
    }
    claim("'requests':[" + exactly("r", request) + "]", "");

    assertThat(result()).as(name).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          device.attributes["d"].model == "y"                                | r=b
          device.attributes["d"].model == "z"                                | cannot allocate all claims
          "no.example.com" in device.attributes                              | cannot allocate all claims
          !("no.example.com" in device.capacity)                             | r=a
          device.driver == "d"                                               | r=a
          device.capacity["d"].memory.compareTo(quantity("2Gi")) >= 0        | r=b
          device.attributes["d"].v.isGreaterThan(semver("1.2.2"))            | r=a
          has(device.attributes["unknown"].x)                                | cannot allocate all claims
          device.attributes["d"].none == "y"                                 | claim default/c0: selector #0: CEL runtime error: no such key: none
          """)
  void selector(String expression, String expected) {
    local(devices("a:x:1Gi b:y:2Gi"));
    deviceClass("any", "");
    claim("'requests':[" + exactly("r", cel(expression.replace("\"", "\\\""))) + "]", "");

    assertThat(result()).isEqualTo(expected);
  }

  @Test
  void selectorsOfTheClass_countAsWell() {
    local(devices("a:x b:y"));
    deviceClass(
        "any",
        "'selectors':[{'cel':{'expression':'device.attributes[\\'d\\'].model == \\'y\\''}}]"
            .replace("\\'", "\\\""));
    claim("'requests':[" + exactly("r", "") + "]", "");

    assertThat(result()).isEqualTo("r=b");
  }

  @Test
  void claims_shareNoDevices_butAdministratorsDo() {
    local(devices("a b"));
    deviceClass("any", "");
    claim("'requests':[" + exactly("r", "") + "]", "");
    claim("'requests':[" + exactly("s", "") + "]", "");
    claim("'requests':[" + exactly("t", ",'adminAccess':true") + "]", "");

    assertThat(result()).isEqualTo("r=a s=b t=a");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a:x b:y c:y   | 'matchAttribute':'d/model'                     | r=b s=c
          a:x b:y c:z   | 'matchAttribute':'d/model'                     | cannot allocate all claims
          a:x b:x c:z   | 'distinctAttribute':'d/model'                  | r=a s=c
          a:x b:x       | 'matchAttribute':'other/model'                 | cannot allocate all claims
          a:x b:y c:z   | 'matchAttribute':'d/model','requests':['r']    | r=a s=b
          """)
  void constraint(String devices, String constraint, String expected) {
    local(devices(devices));
    deviceClass("any", "");
    claim(
        "'requests':[%s,%s],'constraints':[{%s}]"
            .formatted(exactly("r", ""), exactly("s", ""), constraint),
        "");

    assertThat(result()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'key':'k','effect':'NoSchedule'              |                                         | cannot allocate all claims
          'key':'k','effect':'NoExecute'               |                                         | cannot allocate all claims
          'key':'k','effect':'None'                    |                                         | r=a
          'key':'k','effect':'NoSchedule'              | {'key':'k','operator':'Exists'}         | r=a
          'key':'k','effect':'NoSchedule'              | {'operator':'Exists'}                   | r=a
          'key':'k','value':'v','effect':'NoSchedule'  | {'key':'k','operator':'Equal','value':'v'} | r=a
          'key':'k','value':'v','effect':'NoSchedule'  | {'key':'k','operator':'Equal','value':'w'} | cannot allocate all claims
          'key':'k','effect':'NoSchedule'              | {'operator':'Exists','effect':'NoExecute'} | cannot allocate all claims
          """)
  void taint(String taint, @Nullable String toleration, String expected) {
    local("{'name':'a','taints':[{" + taint + "}]}");
    deviceClass("any", "");
    String tolerations = toleration == null ? "" : ",'tolerations':[" + toleration + "]";
    claim("'requests':[" + exactly("r", tolerations) + "]", "");

    assertThat(result()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a b c |   | r/two=a r/two=b | 8
          a b   | a | r/one=b         | 7
          a     | a | cannot allocate all claims | 0
          """)
  void alternatives_areTriedInOrder(
      String devices, @Nullable String used, String expected, long rank) {
    local(devices(devices));
    deviceClass("any", "");
    if (used != null) {
      allocated.add(new DeviceId("d", "n", used));
    }
    claim(
        "'requests':[{'name':'r','firstAvailable':[{'name':'two','deviceClassName':'any','count':2},"
            + "{'name':'one','deviceClassName':'any','count':1}]}]",
        "");

    assertThat(result()).isEqualTo(expected);
    DeviceNeeds needs = needs();
    String unused = needs.refusal("n", Map.of(), Map.of());
    assertThat(needs.rank("n")).isEqualTo(rank);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 |      | r=half
          2 |      | cannot allocate all claims
          1 | half | cannot allocate all claims
          """)
  void partitions_shareCounters(long count, @Nullable String used, String expected) {
    String pool = "'pool':{'name':'n','generation':1,'resourceSliceCount':2}";
    slice(
        pool + ",'nodeName':'n','sharedCounters':[{'name':'s','counters':{'m':{'value':'3Gi'}}}]");
    slice(
        pool
            + ",'nodeName':'n','devices':["
            + partition("half", "2Gi")
            + ","
            + partition("whole", "3Gi")
            + "]");
    deviceClass("any", "");
    if (used != null) {
      allocated.add(new DeviceId("d", "n", used));
    }
    claim("'requests':[" + exactly("r", ",'count':" + count) + "]", "");

    assertThat(result()).isEqualTo(expected);
  }

  private static String capacity(@Nullable String amount) {
    return amount == null ? "" : ",'capacity':{'requests':{'memory':'" + amount + "'}}";
  }

  /** The first devices of the claims with what is taken of their memory. */
  private String shares() {
    DeviceNeeds needs = needs();
    String refusal = needs.refusal("n", Map.of(), Map.of());
    return refusal.isEmpty()
        ? needs.allocations("n").values().stream()
            .map(each -> each.map("devices").maps("results").getFirst())
            .map(
                each ->
                    each.text("device")
                        + (each.has("shareID") ? "*" : "")
                        + each.map("consumedCapacity").text("memory"))
            .collect(Collectors.joining(" "))
        : refusal;
  }

  /** The rows are cases of {@code consumable_capacity_test.go}. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          all by default     |                                                       |     |     | a*10Gi
          as asked           |                                                       |     | 3Gi | a*3Gi
          the rest           |                                                       | 7Gi | 3Gi | a*3Gi
          less is left       |                                                       | 8Gi | 3Gi | cannot allocate all claims
          the default        | 'default':'1Gi','validRange':{'min':'1Gi'}             | 8Gi |     | a*1Gi
          the least          | 'default':'2Gi','validRange':{'min':'2Gi'}             |     | 1Gi | a*2Gi
          a step             | 'default':'1Gi','validRange':{'min':'1Gi','step':'2Gi'} |    | 4Gi | a*5Gi
          on a step          | 'default':'1Gi','validRange':{'min':'1Gi','step':'2Gi'} |    | 3Gi | a*3Gi
          too much           | 'default':'1Gi','validRange':{'min':'1Gi','max':'4Gi'} |     | 5Gi | cannot allocate all claims
          a valid value      | 'default':'1Gi','validValues':['4Gi','1Gi']            |     | 2Gi | a*4Gi
          no valid value     | 'default':'1Gi','validValues':['1Gi','4Gi']            |     | 5Gi | cannot allocate all claims
          """)
  void sharedDevice_isGivenAsFarAsItsCapacityGoes(
      String name,
      @Nullable String policy,
      @Nullable String used,
      @Nullable String wanted,
      String expected) {
    local(
        "{'name':'a','allowMultipleAllocations':true,'capacity':{'memory':{'value':'10Gi'%s}}}"
            .formatted(policy == null ? "" : ",'requestPolicy':{" + policy + "}"));
    deviceClass("any", "");
    if (used != null) {
      allocated.add(new DeviceId("d", "n", "a"));
      consumed.put(new DeviceId("d", "n", "a"), Map.of("memory", Quantity.parse(used)));
    }
    claim("'requests':[" + exactly("r", capacity(wanted)) + "]", "");

    assertThat(shares()).as(name).isEqualTo(expected);
  }

  @Test
  void claims_shareADevice_andItsCountersOnce() {
    String pool = "'nodeName':'n','pool':{'name':'n','generation':1,'resourceSliceCount':2}";
    slice(pool + ",'sharedCounters':[{'name':'s','counters':{'m':{'value':'1'}}}]");
    slice(
        pool
            + ",'devices':[{'name':'a','allowMultipleAllocations':true,'capacity':{'memory':{'value':'10Gi'}},"
            + "'consumesCounters':[{'counterSet':'s','counters':{'m':{'value':'1'}}}]}]");
    deviceClass("any", "");
    claim("'requests':[" + exactly("r", capacity("6Gi")) + "]", "");
    claim("'requests':[" + exactly("r", capacity("4Gi")) + "]", "");
    assertThat(shares()).isEqualTo("a*6Gi a*4Gi");

    claim("'requests':[" + exactly("r", capacity("1")) + "]", "");
    assertThat(shares()).isEqualTo("cannot allocate all claims");
  }

  @ParameterizedTest
  @CsvSource({
    "1Gi, a",
    "2Gi, b",
    "4Gi, cannot allocate all claims",
  })
  void deviceForOne_hasTheCapacityThatIsAskedFor(String wanted, String expected) {
    local(devices("a:x:1Gi b:x:3Gi"));
    deviceClass("any", "");
    claim("'requests':[" + exactly("r", capacity(wanted)) + "]", "");

    assertThat(shares()).isEqualTo(expected);
  }

  @Test
  void capacityThatADeviceDoesNotHave_isNotGiven() {
    local("{'name':'a','allowMultipleAllocations':true}");
    deviceClass("any", "");
    claim("'requests':[" + exactly("r", capacity("1Gi")) + "]", "");

    assertThat(shares()).isEqualTo("cannot allocate all claims");
  }

  @Test
  void consumedCapacity_isReadFromAllocations() {
    Claim.Allocation allocation =
        Claim.Allocation.of(
            CustomTypes.tree(
                "{'allocation':{'devices':{'results':[{'driver':'d','pool':'n','device':'a','shareID':'1','consumedCapacity':{'memory':'1Gi'}},"
                    + "{'driver':'d','pool':'n','device':'a','shareID':'2','consumedCapacity':{'memory':'2Gi'}}]}}}"),
            "c");

    assertThat(allocation.consumed())
        .containsOnly(
            Map.entry(new DeviceId("d", "n", "a"), Map.of("memory", Quantity.parse("3Gi"))));
  }

  private static String partition(String name, String amount) {
    return "{'name':'%s','consumesCounters':[{'counterSet':'s','counters':{'m':{'value':'%s'}}}]}"
        .formatted(name, amount);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          another node      | 'nodeName':'x'                                  | 1 | 1 | | cannot allocate all claims
          all nodes         | 'allNodes':true                                 | 1 | 1 | | r=a
          a selector        | 'nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'zone','operator':'In','values':['a']}]}]} | 1 | 1 | | r=a
          another zone      | 'nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'zone','operator':'In','values':['b']}]}]} | 1 | 1 | | cannot allocate all claims
          an incomplete one | 'nodeName':'n'                                  | 2 | 1 | | cannot allocate all claims
          all of it         | 'nodeName':'n'                                  | 2 | 1 | ,'allocationMode':'All' | claim default/c0, request r: asks for all devices, but resource pool d/n is currently being updated
          a newer one       | 'nodeName':'n'                                  | 1 | 0 | | r=new
          """)
  void pool(
      String name,
      String placement,
      int count,
      int generation,
      @Nullable String request,
      String expected) {
    String pool = "'pool':{'name':'n','generation':%d,'resourceSliceCount':%d}";
    slice(placement + "," + pool.formatted(generation, count) + ",'devices':[{'name':'a'}]");
    if (generation == 0) {
      slice(placement + "," + pool.formatted(1, 1) + ",'devices':[{'name':'new'}]");
    }
    deviceClass("any", "");
    claim("'requests':[" + exactly("r", request == null ? "" : request) + "]", "");

    assertThat(result()).as(name).isEqualTo(expected);
  }

  @Test
  void duplicateNames_makeAPoolInvalid() {
    local("{'name':'a'},{'name':'a'}");
    deviceClass("any", "");
    claim("'requests':[" + exactly("r", "") + "]", "");

    assertThat(result()).isEqualTo("invalid resource pools were encountered");
  }

  @Test
  void allocatedClaim_isUsedWhereItsDevicesAre() {
    String allocation =
        "'allocation':{'devices':{'results':[]},'nodeSelector':{'nodeSelectorTerms':[{'matchFields':["
            + "{'key':'metadata.name','operator':'In','values':['%s']}]}]}}";
    claim("'requests':[]", allocation.formatted("n"));
    assertThat(result()).isEmpty();

    claim("'requests':[]", allocation.formatted("x"));
    DeviceNeeds needs = needs();

    assertThat(needs.refusal("n", Map.of(), Map.of()))
        .isEqualTo("resourceclaim not available on the node");
    assertThat(needs.freeable("pod")).containsExactly(claims.get(1));
  }

  @Test
  void allocation_tellsConfigurationAndNodes() {
    local("{'name':'a','taints':[{'key':'k','effect':'NoSchedule'}]}");
    deviceClass("any", "'config':[{'opaque':{'driver':'d','parameters':{'of':'class'}}}]");
    claim(
        "'requests':[%s],'config':[{'requests':['r'],'opaque':{'driver':'d','parameters':{}}},{'requests':['s'],'opaque':{}}]"
            .formatted(exactly("r", ",'tolerations':[{'operator':'Exists'}]")),
        "");
    DeviceNeeds needs = needs();

    assertThat(needs.refusal("n", Map.of(), Map.of())).isEmpty();
    MapNode allocation = needs.allocations("n").values().iterator().next();
    assertThat(allocation)
        .isEqualTo(
            CustomTypes.tree(
                "{'devices':{'results':[{'request':'r','driver':'d','pool':'n','device':'a','tolerations':[{'operator':'Exists'}]}],"
                    + "'config':[{'opaque':{'driver':'d','parameters':{'of':'class'}},'source':'FromClass'},"
                    + "{'opaque':{'driver':'d','parameters':{}},'source':'FromClaim'}]},"
                    + "'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'In','values':['n']}]}]}}"));
  }

  /** Several requests of a claim have configurations of their own. */
  @Test
  void configuration_namesTheRequestsThatItIsFor_ifOthersAreThere() {
    local(devices("a b"));
    deviceClass("any", "'config':[{'opaque':{'driver':'d','parameters':{'of':'class'}}}]");
    deviceClass("other", "");
    claim(
        "'requests':[%s,{'name':'s','exactly':{'deviceClassName':'other'}}]"
                .formatted(exactly("r", ""))
            + ",'config':[{'requests':['s'],'opaque':{}}]",
        "");
    DeviceNeeds needs = needs();

    assertThat(needs.refusal("n", Map.of(), Map.of())).isEmpty();
    assertThat(needs.allocations("n").values().iterator().next().map("devices").maps("config"))
        .extracting(each -> each.text("source") + each.items("requests").size())
        .containsExactly("FromClass1", "FromClaim1");
  }

  /** Two shares of one device for one request would be one larger share. */
  @Test
  void sharedDevice_isGivenOnceToARequest() {
    local(
        "{'name':'a','allowMultipleAllocations':true,'capacity':{'memory':{'value':'10Gi'}}},"
            + "{'name':'b','allowMultipleAllocations':true,'capacity':{'memory':{'value':'10Gi'}}}");
    deviceClass("any", "");
    claim("'requests':[" + exactly("r", ",'count':2" + capacity("1Gi")) + "]", "");
    assertThat(result()).isEqualTo("r=a r=b");

    claims.clear();
    claim("'requests':[" + exactly("r", ",'count':3" + capacity("1Gi")) + "]", "");
    assertThat(result()).isEqualTo("cannot allocate all claims");
  }

  /** Sets of devices are tried once: in every order this would take hours. */
  @Test
  void impossibleCount_isFoundOutSoon() {
    local(devices("a:x b:x c:x d:x e:x f:x g:x h:x i:x j:x k:x l:x m:x n:y o:y p:y"));
    deviceClass("any", "");
    claim(
        "'requests':[%s,%s],'constraints':[{'matchAttribute':'d/model','requests':['s']}]"
            .formatted(exactly("r", ",'count':10"), exactly("s", ",'count':14")),
        "");

    assertThat(result()).isEqualTo("cannot allocate all claims");
  }

  @Test
  void allDevices_areThoseThatHaveTheCapacity() {
    local(devices("a:x:1Gi b:x:3Gi c:x:4Gi"));
    deviceClass("any", "");
    claim("'requests':[" + exactly("r", ",'allocationMode':'All'" + capacity("2Gi")) + "]", "");

    assertThat(result()).isEqualTo("r=b r=c");
  }

  @Test
  void bindingConditions_areTold_andBindTheClaimToTheNode() {
    slice(
        "'allNodes':true,'pool':{'name':'n','generation':1,'resourceSliceCount':1},'devices':["
            + "{'name':'a','bindsToNode':true,'bindingConditions':['attached'],'bindingFailureConditions':['broken']}]");
    deviceClass("any", "");
    claim("'requests':[" + exactly("r", "") + "]", "");
    DeviceNeeds needs = needs();

    assertThat(needs.refusal("n", Map.of(), Map.of())).isEmpty();
    MapNode allocation = needs.allocations("n").values().iterator().next();
    assertThat(allocation)
        .isEqualTo(
            CustomTypes.tree(
                "{'devices':{'results':[{'request':'r','driver':'d','pool':'n','device':'a','bindingConditions':['attached'],"
                    + "'bindingFailureConditions':['broken']}]},"
                    + "'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'In','values':['n']}]}]}}"));
  }

  /** Devices that are ready are taken first. */
  @Test
  void poolsWithBindingConditions_areTheLast() {
    slice(
        "'allNodes':true,'pool':{'name':'a','generation':1,'resourceSliceCount':1},'devices':["
            + "{'name':'later','bindingConditions':['attached']}]");
    slice(
        "'allNodes':true,'pool':{'name':'b','generation':1,'resourceSliceCount':1},'devices':["
            + "{'name':'now'}]");
    deviceClass("any", "");
    claim("'requests':[" + exactly("r", "") + "]", "");

    assertThat(result()).isEqualTo("r=now");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing is told  |                                      | true false
          not yet          | {'type':'attached','status':'False'} | true false
          ready            | {'type':'attached','status':'True'}  | true true
          failed           | {'type':'broken','status':'True','reason':'R','message':'m'} | true false claim c binding failed: reason=R, message="m"
          """)
  void preparation_isReadFromTheStatus(String name, @Nullable String condition, String expected) {
    Claim.Preparation preparation =
        Claim.Allocation.of(
                CustomTypes.tree(
                    ("{'allocation':{'allocationTimestamp':'2026-01-01T00:00:00Z','devices':{'results':[{'driver':'d','pool':'n',"
                            + "'device':'a','bindingConditions':['attached'],'bindingFailureConditions':['broken']}]}},"
                            + "'devices':[{'driver':'d','pool':'n','device':'a','conditions':[%s]}]}")
                        .formatted(condition == null ? "" : condition)),
                "c")
            .preparation();

    assertThat(preparation.needed() + " " + preparation.done() + " " + preparation.failure())
        .as(name)
        .isEqualTo(preparation.failure().isEmpty() ? expected + " " : expected);
    Instant created = Instant.parse("2026-01-01T00:00:00Z");
    assertThat(preparation.isLost(created.plusSeconds(600), Duration.ofMinutes(10)))
        .isEqualTo(name.equals("failed"));
    assertThat(preparation.isLost(created.plusSeconds(601), Duration.ofMinutes(10)))
        .isEqualTo(!preparation.done());
  }

  @Test
  void claimWhoseDevicesWillNotBeReady_isFreed() {
    claim("'requests':[]", "'allocation':{'devices':{'results':[]}}");
    lost.addAll(claims);
    DeviceNeeds needs = needs();

    assertThat(needs.refusal("n", Map.of(), Map.of()))
        .isEqualTo("resourceclaim not available on the node");
    assertThat(needs.freeable("pod")).isEqualTo(claims);
  }

  private void extended(@Nullable Claim stale) {
    ExtendedRequests requests =
        ExtendedRequests.of(
            CustomTypes.tree(
                "{'containers':[{'name':'c','resources':{'requests':{'cpu':'1','example.com/gpu':'2'}}}]}"));
    extended =
        new DeviceNeeds.Extended("default", requests, Map.of("example.com/gpu", "any"), stale);
  }

  @Test
  void extendedResource_isLookedForAmongDevices_whereTheNodeDoesNotHaveIt() {
    local(devices("a b c"));
    deviceClass("any", "");
    extended(null);

    assertThat(result()).isEqualTo("container-0-request-1=a container-0-request-1=b");
    assertThat(needs().provide("example.com/gpu")).isTrue();
    DeviceNeeds onNode = needs();
    assertThat(onNode.refusal("n", Map.of(), Map.of("example.com/gpu", 4L))).isEmpty();
    assertThat(onNode.ofExtended("n")).isNull();

    allocated.add(new DeviceId("d", "n", "b"));
    allocated.add(new DeviceId("d", "n", "c"));
    assertThat(result()).isEqualTo("cannot allocate all claims");
  }

  @Test
  void claimOfAnEarlierAttempt_isInTheWay() {
    local(devices("a b c"));
    deviceClass("any", "");
    claim("'requests':[" + exactly("r", "") + "]", "");
    extended(claims.removeFirst());

    assertThat(result()).isEqualTo("cannot schedule extended resource claim");
    assertThat(needs().stale()).isNotNull();
  }

  @Test
  void classOfAnExtendedResource_isTheNewest_orTheOneOfTheName() {
    deviceClassSince("old", "2026-01-01T00:00:00Z");
    deviceClassSince("b", "2026-01-02T00:00:00Z");
    deviceClassSince("a", "2026-01-02T00:00:00Z");

    assertThat(DeviceClass.of("example.com/gpu", classes.values()))
        .map(DeviceClass::name)
        .contains("a");
    assertThat(DeviceClass.of("deviceclass.resource.kubernetes.io/old", classes.values()))
        .map(DeviceClass::name)
        .contains("old");
    assertThat(DeviceClass.of("example.com/fpga", classes.values())).isEmpty();
  }

  private void deviceClassSince(String name, String created) {
    classes.put(
        name,
        DeviceClass.of(
            object(
                "{'metadata':{'name':'%s','creationTimestamp':'%s'},'spec':{'extendedResourceName':'example.com/gpu'}}"
                    .formatted(name, created))));
  }
}

package dev.keelson.config.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The feature gates of kube-apiserver 1.36 ({@code pkg/features} and those of its libraries). */
public final class KubernetesGates {

  /** The stage of a feature. */
  public enum Stage {
    ALPHA,
    BETA,
    GA,
    DEPRECATED
  }

  /**
   * One gate.
   *
   * @param byDefault whether it is enabled by default
   * @param locked whether only the default can be set
   */
  public record Gate(String name, Stage stage, boolean byDefault, boolean locked) {}

  /** Each gate with those that it depends on and that can be disabled. */
  private static final String DEPENDENCIES =
      """
      ClusterTrustBundleProjection ClusterTrustBundle
      DRADeviceBindingConditions DRAResourceClaimDeviceStatus
      DRADeviceTaintRules DRADeviceTaints
      DRAResourceClaimGranularStatusAuthorization DRAResourceClaimDeviceStatus
      DRAWorkloadResourceClaims GenericWorkload
      ExtendWebSocketsToKubelet NodeDeclaredFeatures
      GangScheduling GenericWorkload
      GracefulNodeShutdownBasedOnPodPriority GracefulNodeShutdown
      InPlacePodLevelResourcesVerticalScaling PodLevelResources NodeDeclaredFeatures
      InPlacePodVerticalScalingInitContainers NodeDeclaredFeatures
      MatchLabelKeysInPodTopologySpreadSelectorMerge MatchLabelKeysInPodTopologySpread
      PodLevelResourceManagers PodLevelResources
      ResourceHealthStatusMessage ResourceHealthStatus
      RestartAllContainersOnContainerExits ContainerRestartRules NodeDeclaredFeatures
      StaleControllerConsistencyDaemonSet AtomicFIFO
      StaleControllerConsistencyJob AtomicFIFO
      StaleControllerConsistencyReplicaSet AtomicFIFO
      StaleControllerConsistencyStatefulSet AtomicFIFO
      StorageVersionAPI APIServerIdentity
      TopologyAwareWorkloadScheduling GenericWorkload
      UnknownVersionInteroperabilityProxy APIServerIdentity
      UserNamespacesHostNetworkSupport NodeDeclaredFeatures
      WindowsGracefulNodeShutdown GracefulNodeShutdown
      WorkloadAwarePreemption GangScheduling
      WorkloadWithJob GenericWorkload
      """;

  private final Map<String, Gate> byName = new TreeMap<>();

  /** Fills the table. */
  public KubernetesGates() {
    add(
        Stage.ALPHA,
        /* byDefault= */ false,
        /* locked= */ false,
        """
        APIServingWithRoutine AllowUnsafeMalformedObjectDeletion CBORServingAndStorage
        CPUManagerPolicyAlphaOptions CRIListStreaming CSIVolumeHealth ClientsAllowCBOR
        ClientsPreferCBOR CloudControllerManagerWatchBasedRoutesReconciliation
        CloudControllerManagerWebhook ContainerStopSignals
        ControllerManagerReleaseLeaderElectionLockOnExit CrossNamespaceVolumeDataSource
        DRAListTypeAttributes DRANodeAllocatableResources DRAResourcePoolStatus
        DRAWorkloadResourceClaims EventedPLEG GangScheduling GenericWorkload HPAScaleToZero
        ImageVolumeWithDigest InPlacePodVerticalScalingExclusiveCPUs
        InPlacePodVerticalScalingExclusiveMemory KubeletInUserNamespace LoggingAlphaOptions
        ManifestBasedAdmissionControlConfig MemoryQoS MutablePVNodeAffinity NativeHistograms
        PersistentVolumeClaimUnusedSinceTime PodAndContainerStatsFromCRI
        PodLevelResourceManagers PodLogsQuerySplitStreams PodsAPI QOSReserved
        ReduceDefaultCrashLoopBackOffDecay RuntimeClassInImageCriApi ShardedListAndWatch
        StorageCapacityScoring StorageVersionAPI TaintTolerationComparisonOperators
        TopologyAwareWorkloadScheduling TopologyManagerPolicyAlphaOptions
        UserNamespacesHostNetworkSupport VolumeLimitScaling WindowsCPUAndMemoryAffinity
        WorkloadAwarePreemption WorkloadWithJob
        """);
    add(
        Stage.BETA,
        /* byDefault= */ false,
        /* locked= */ false,
        """
        ClusterTrustBundle ClusterTrustBundleProjection ConcurrentWatchObjectDecode
        CoordinatedLeaderElection DRADeviceTaintRules
        LocalStorageCapacityIsolationFSQuotaMonitoring MaxUnavailableStatefulSet
        PodCertificateRequest SELinuxMount SchedulerAsyncAPICalls StorageVersionMigrator
        """);
    add(
        Stage.BETA,
        /* byDefault= */ true,
        /* locked= */ false,
        """
        APIResponseCompression APIServerIdentity AllowParsingUserUIDFromCertAuth AtomicFIFO
        AuthorizePodWebsocketUpgradeCreatePermission CPUManagerPolicyBetaOptions
        CRDObservedGenerationTracking ClearingNominatedNodeNameAfterBinding
        ClientsAllowCARotation ClientsAllowTLSCacheGC ComponentFlagz ComponentStatusz
        ConstrainedImpersonation ContainerCheckpoint ContainerRestartRules ContextualLogging
        DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaints DRAExtendedResource
        DRAPartitionableDevices DRAResourceClaimDeviceStatus
        DRAResourceClaimGranularStatusAuthorization DRASchedulerFilterTimeout
        DeclarativeValidationBeta DeploymentReplicaSetTerminatingReplicas
        DetectCacheInconsistency EnvFiles ExtendWebSocketsToKubelet GracefulNodeShutdown
        GracefulNodeShutdownBasedOnPodPriority HPAConfigurableTolerance HostnameOverride
        InOrderInformersBatchProcess InPlacePodLevelResourcesVerticalScaling
        InPlacePodVerticalScalingInitContainers KubeletCrashLoopBackOffMax
        KubeletEnsureSecretPulledImages KubeletSeparateDiskGC
        KubeletServiceAccountTokenForCredentialProviders ListFromCacheSnapshot
        LoggingBetaOptions MatchLabelKeysInPodTopologySpread
        MatchLabelKeysInPodTopologySpreadSelectorMerge MutablePodResourcesForSuspendedJobs
        MutableSchedulingDirectivesForSuspendedJobs NodeDeclaredFeatures
        NominatedNodeNameForExpectation OpenAPIEnums OpportunisticBatching
        PLEGOnDemandRelist PodDeletionCost PodLevelResources
        PodReadyToStartContainersCondition PodTopologyLabelsAdmission PortForwardWebsockets
        PreventStaticPodAPIReferences RelaxedServiceNameValidation ReloadKubeletClientCAFile
        ReloadKubeletServerCertificateFile RemoteRequestHeaderUID ResourceHealthStatus
        ResourceHealthStatusMessage RestartAllContainersOnContainerExits
        RotateKubeletServerCertificate SchedulerAsyncPreemption SchedulerPopFromBackoffQ
        ServiceAccountNodeAudienceRestriction SizeBasedListCostEstimate
        StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob
        StaleControllerConsistencyReplicaSet StaleControllerConsistencyStatefulSet
        StatefulSetSemanticRevisionComparison StorageVersionHash StrictIPCIDRValidation
        StructuredAuthenticationConfigurationEgressSelector
        StructuredAuthenticationConfigurationJWKSMetrics
        TokenRequestServiceAccountUIDValidation TopologyManagerPolicyBetaOptions
        TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation
        UnknownVersionInteroperabilityProxy UnlockWhileProcessingFIFO
        WatchCacheInitializationPostStartHook WatchList WatchListClient
        WindowsGracefulNodeShutdown
        """);
    add(
        Stage.GA,
        /* byDefault= */ true,
        /* locked= */ true,
        """
        APIServerTracing AnonymousAuthConfigurableEndpoints AnyVolumeDataSource
        AuthorizeNodeWithSelectors AuthorizeWithSelectors BtreeWatchCache
        CPUManagerPolicyOptions CRDValidationRatcheting CSIMigrationPortworx
        CSIServiceAccountTokenSecrets ConsistentListFromCache CustomCPUCFSQuotaPeriod
        CustomResourceFieldSelectors DRAAdminAccess DRAPrioritizedList DeclarativeValidation
        DisableAllocatorDualWrite DisableCPUQuotaWithExclusiveCPUs DynamicResourceAllocation
        ExecProbeTimeout ExternalServiceAccountTokenSigner HonorPVReclaimPolicy
        ImageMaximumGCAge ImageVolume InOrderInformers InPlacePodVerticalScaling
        JobBackoffLimitPerIndex JobManagedBy JobPodReplacementPolicy JobSuccessPolicy
        KubeletCgroupDriverFromCRI KubeletFineGrainedAuthz KubeletPSI
        KubeletPodResourcesDynamicResources KubeletPodResourcesGet KubeletTracing
        LogarithmicScaleDown MatchLabelKeysInPodAffinity MemoryManager
        MultiCIDRServiceAllocator MutableCSINodeAllocatableCount MutatingAdmissionPolicy
        NFTablesProxyMode NodeInclusionPolicyInPodTopologySpread NodeLogQuery NodeSwap
        OrderedNamespaceDeletion PodLifecycleSleepAction PodLifecycleSleepActionAllowZero
        PodObservedGenerationTracking PodSchedulingReadiness PreferSameTrafficDistribution
        ProcMountType RecoverVolumeExpansionFailure RecursiveReadOnlyMounts
        RelaxedDNSSearchValidation RelaxedEnvironmentVariableValidation
        ResilientWatchCacheInitialization RetryGenerateName SELinuxChangePolicy
        SELinuxMountReadWriteOncePod SchedulerQueueingHints SeparateTaintEvictionController
        ServiceAccountTokenJTI ServiceAccountTokenNodeBinding
        ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo
        ServiceTrafficDistribution SidecarContainers StreamingCollectionEncodingToJSON
        StreamingCollectionEncodingToProtobuf StructuredAuthenticationConfiguration
        StructuredAuthorizationConfiguration SupplementalGroupsPolicy SystemdWatchdog
        TopologyAwareHints UserNamespacesSupport VolumeAttributesClass WinDSR WinOverlay
        """);
    add(
        Stage.GA,
        /* byDefault= */ true,
        /* locked= */ false,
        """
        TopologyManagerPolicyOptions
        """);
    add(
        Stage.DEPRECATED,
        /* byDefault= */ false,
        /* locked= */ false,
        """
        AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests
        ChangeContainerStatusOnKubeletRestart DeclarativeValidationTakeover
        GitRepoVolumeDriver InPlacePodVerticalScalingAllocatedStatus KMSv1
        KubeletRegistrationGetOnExistsOnly SeparateCacheWatchRPC WindowsHostNetwork
        """);
    add(
        Stage.DEPRECATED,
        /* byDefault= */ true,
        /* locked= */ false,
        """
        DisableNodeKubeProxyVersion KubeletPodResourcesListUseActivePods
        StorageNamespaceIndex
        """);
    add(
        Stage.DEPRECATED,
        /* byDefault= */ false,
        /* locked= */ true,
        """
        AllowOverwriteTerminationGracePeriodSeconds WatchFromStorageWithoutResourceVersion
        """);
    add(
        Stage.DEPRECATED,
        /* byDefault= */ true,
        /* locked= */ true,
        """
        AggregatedDiscoveryRemoveBetaType
        """);
  }

  /** All gates by name. */
  public Map<String, Gate> all() {
    return Map.copyOf(byName);
  }

  /** The gate of that name; empty if 1.36 has none. */
  public Optional<Gate> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * Returns one error for each enabled gate that depends on a disabled one, in the order of names.
   *
   * @param on whether a gate is enabled
   */
  public List<String> unmetDependencies(Predicate<Gate> on) {
    List<String> errors = new ArrayList<>();
    DEPENDENCIES
        .lines()
        .forEach(
            line -> {
              List<String> names = List.of(line.split(" ", -1));
              List<String> disabled =
                  names.stream().skip(1).filter(name -> !on.test(gate(name))).toList();
              if (!disabled.isEmpty() && on.test(gate(names.getFirst()))) {
                errors.add(
                    "%s is enabled, but depends on features that are disabled: [%s]"
                        .formatted(names.getFirst(), String.join(" ", disabled)));
              }
            });
    return errors;
  }

  private Gate gate(String name) {
    return find(name).orElseThrow();
  }

  private void add(Stage stage, boolean byDefault, boolean locked, String names) {
    StringTokenizer words = new StringTokenizer(names);
    while (words.hasMoreTokens()) {
      String name = words.nextToken();
      byName.put(name, new Gate(name, stage, byDefault, locked));
    }
  }
}

package dev.keelson.api;

import java.util.Arrays;
import java.util.Optional;

/** The feature gates (contract, "Feature gates"). */
public enum Feature {
  /** All features of stage alpha that are not set individually. */
  ALL_ALPHA("AllAlpha", Stage.ALPHA, false),
  /** All features of stage beta that are not set individually; without effect unless it is set. */
  ALL_BETA("AllBeta", Stage.BETA, false),
  /** Lists in chunks. */
  API_LIST_CHUNKING("APIListChunking", Stage.BETA, true),
  /** Compressed responses. */
  API_RESPONSE_COMPRESSION("APIResponseCompression", Stage.ALPHA, false),
  /** The right to create pods/exec, attach and portforward is needed by GET as well. */
  AUTHORIZE_POD_WEBSOCKET_UPGRADE_CREATE_PERMISSION(
      "AuthorizePodWebsocketUpgradeCreatePermission", Stage.BETA, true),
  /** The page {@code /flagz}. */
  COMPONENT_FLAGZ("ComponentFlagz", Stage.BETA, true),
  /** The page {@code /statusz}. */
  COMPONENT_STATUSZ("ComponentStatusz", Stage.BETA, true),
  /** Audit back ends by AuditSink objects; the flag of the audit turns them on. */
  DYNAMIC_AUDITING("DynamicAuditing", Stage.ALPHA, false),
  /** Dry runs of writes. */
  DRY_RUN("DryRun", Stage.BETA, true),
  /** WebSockets pass to kubelets that declare the feature. */
  EXTEND_WEB_SOCKETS_TO_KUBELET("ExtendWebSocketsToKubelet", Stage.BETA, true),
  /** Horizontal pod autoscalers to no pods at all, and from there. */
  HPA_SCALE_TO_ZERO("HPAScaleToZero", Stage.ALPHA, false),
  /** Objects that are hidden until they are initialized. */
  INITIALIZERS("Initializers", Stage.ALPHA, false),
  /** SPDY inside of WebSockets for port forward. */
  PORT_FORWARD_WEB_SOCKETS("PortForwardWebsockets", Stage.BETA, true),
  /** StorageVersions: in which version each API server writes the objects of a resource. */
  STORAGE_VERSION_API("StorageVersionAPI", Stage.ALPHA, false),
  /** StorageVersionMigrations, and the controller that writes stored objects again. */
  STORAGE_VERSION_MIGRATOR("StorageVersionMigrator", Stage.BETA, false),
  /** WebSockets of version 5 become SPDY towards kubelets. */
  TRANSLATE_STREAM_CLOSE_WEB_SOCKET_REQUESTS(
      "TranslateStreamCloseWebsocketRequests", Stage.BETA, true),
  /** Deletion of finished Jobs after a time to live. */
  TTL_AFTER_FINISHED("TTLAfterFinished", Stage.ALPHA, false);

  /** The stage of a feature. */
  public enum Stage {
    ALPHA,
    BETA
  }

  private final String word;
  private final Stage stage;
  private final boolean byDefault;

  Feature(String word, Stage stage, boolean byDefault) {
    this.word = word;
    this.stage = stage;
    this.byDefault = byDefault;
  }

  /** Its name on the command line. */
  public String word() {
    return word;
  }

  public Stage stage() {
    return stage;
  }

  /** Whether the feature is enabled by default. */
  public boolean byDefault() {
    return byDefault;
  }

  /** The feature of that name; empty if there is none. */
  public static Optional<Feature> ofWord(String word) {
    return Arrays.stream(values()).filter(feature -> feature.word.equals(word)).findFirst();
  }
}

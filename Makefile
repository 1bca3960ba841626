# Everything a developer runs. `make` alone lists the targets.
#
# ARGS goes to the server (make run ARGS="--secure-port 7443") and to Maven elsewhere
# (make test ARGS="-Dit.test=KubectlIT").

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run build test fuzz native native-test native-smoke soak bench format clean

ARGS ?=
# Tests, bench and native builds print much; MVN_FLAGS= shows Maven's own lines as well.
MVN_FLAGS ?= -q
MVN := bin/with-jdk mvn -B -ntp $(MVN_FLAGS)

JAR := target/quarkus-app/quarkus-run.jar
SOURCES := pom.xml $(shell find src/main -type f 2>/dev/null)
RUNNER := $(wildcard target/*-runner)

help: ## List the targets
	@echo "Keelson: a Kubernetes-compatible resource API server"
	@echo
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)$$/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
	  || sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)$$/  make \1  \2/p' $(MAKEFILE_LIST)
	@echo
	@echo "A JDK 25 is found by bin/find-jdk even when java on the PATH is older."

# A native executable that is newer than every source is as good as a build of this moment.
run: ## Build what has changed and start the server on its embedded store in ./data
	@if [ -n "$(RUNNER)" ] && [ -z "$$(find pom.xml src/main -type f -newer $(or $(RUNNER),pom.xml) -print -quit)" ]; then \
	  env KEELSON_RUNTIME=native bin/keelson $(ARGS); \
	else \
	  $(MAKE) --no-print-directory $(JAR) ARGS=; \
	  env KEELSON_RUNTIME=jvm bin/keelson $(ARGS); \
	fi

build: $(JAR) ## Build the JVM server into target/quarkus-app

$(JAR): $(SOURCES)
	@bin/ensure jdk mvn
	@echo "building Keelson (the first build fetches its dependencies)"
	@$(MVN) package -DskipTests $(ARGS)
	@touch $(JAR)

test: ## Every gate: format, compiler checks, unit, architecture, store and black-box tests
	@bin/ensure jdk mvn etcd kubectl
	@$(MVN) verify $(ARGS)

fuzz: ## Feed the decoders and negotiation with millions of random inputs, and of inputs found by coverage
	@bin/ensure jdk mvn
	@$(MVN) test -Dtest='*FuzzTest' -Dsurefire.failIfNoSpecifiedTests=false -Dkeelson.fuzz.rounds=1000000 \
	  -Dkeelson.fuzz.seed=$$RANDOM $(ARGS)
	@$(MVN) test-compile -Pfuzz exec:exec $(ARGS)

native: ## Build the native executable with the GraalVM or Mandrel 25 in GRAALVM_HOME
	@bin/ensure jdk mvn gcc zlib
	@bin/with-graalvm mvn -B -ntp $(MVN_FLAGS) package -Dnative -Dmaven.test.skip=true $(ARGS)
	@ls -l target/*-runner

native-test: ## Run the black-box suite against the native executable
	@bin/ensure jdk mvn etcd kubectl
	@$(MVN) test-compile failsafe:integration-test failsafe:verify -Dkeelson.native=true $(ARGS)

native-smoke: ## Start the native executable on both stores, use kubectl on it, have it decide, print its figures
	@bin/ensure jdk mvn etcd kubectl
	@$(MVN) test-compile failsafe:integration-test failsafe:verify -Dkeelson.native=true -Dit.test='*SmokeIT' $(ARGS)
	@ls -l target/*-runner
	@cat target/smoke/native-*.txt

soak: $(JAR) ## Clients at random under faults, ten minutes a store, and the proof that they saw one history
	@bin/ensure jdk mvn etcd
	@$(MVN) test-compile failsafe:integration-test failsafe:verify -Dit.test='ReadsSoak*IT' -Dkeelson.soak=PT10M $(ARGS)

bench: $(JAR) ## Measure start-up, reads, watches, writes and representations, each beside a limit of the same run
	@bin/ensure jdk mvn etcd
	@$(MVN) test-compile -Pbench exec:java $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.ReadsBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.FanOutBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.AuthenticationBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.WritesBench $(ARGS)
	@$(MVN) -Pbench exec:java -Dbench.main=dev.keelson.bench.RepresentationsBench $(ARGS)

format: ## Format the sources
	@bin/ensure jdk mvn
	@$(MVN) spotless:apply

clean: ## Remove everything built (not ./data)
	@rm -rf target

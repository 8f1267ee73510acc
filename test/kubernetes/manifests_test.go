// Package kubernetes tests the Kubernetes manifests and the compose files of deploy/ with
// the libraries of the programs that read them. It is a separate module, so that the
// service does not depend on these libraries.
package kubernetes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// shutdown is how long frontdesk takes at most to finish requests in flight
// (internal/server.ShutdownTimeout).
const shutdown = 20 * time.Second

// built holds the objects that kustomize makes from the folder.
type built struct {
	deployment appsv1.Deployment
	service    corev1.Service
	settings   corev1.ConfigMap
	budget     policyv1.PodDisruptionBudget
	policy     networkingv1.NetworkPolicy
}

func build(t *testing.T) built {
	t.Helper()
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), "../../deploy/kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme} {
		utilruntime.Must(add(scheme))
	}
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: true, Strict: true})
	var b built
	for _, resource := range resources.Resources() {
		text, err := resource.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		object, _, err := decoder.Decode(text, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", resource.CurId(), err)
			continue
		}
		switch object := object.(type) {
		case *appsv1.Deployment:
			b.deployment = *object
		case *corev1.Service:
			b.service = *object
		case *corev1.ConfigMap:
			b.settings = *object
		case *policyv1.PodDisruptionBudget:
			b.budget = *object
		case *networkingv1.NetworkPolicy:
			b.policy = *object
		default:
			t.Errorf("no test checks %s", resource.CurId())
		}
	}
	for name, meta := range map[string]metav1.Object{
		"Deployment": &b.deployment, "Service": &b.service, "ConfigMap": &b.settings, "PodDisruptionBudget": &b.budget, "NetworkPolicy": &b.policy,
	} {
		if meta.GetName() == "" || meta.GetNamespace() != "frontdesk" {
			t.Errorf("there is no %s in the namespace frontdesk", name)
		}
	}
	return b
}

func TestSelectors(t *testing.T) {
	b := build(t)
	pods := labels.Set(b.deployment.Spec.Template.Labels)
	for name, selector := range map[string]*metav1.LabelSelector{
		"Deployment": b.deployment.Spec.Selector, "PodDisruptionBudget": b.budget.Spec.Selector, "NetworkPolicy": &b.policy.Spec.PodSelector,
		"Service":                    {MatchLabels: b.service.Spec.Selector},
		"topology spread constraint": b.deployment.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector,
	} {
		parsed, err := metav1.LabelSelectorAsSelector(selector)
		if err != nil || parsed.Empty() || !parsed.Matches(pods) {
			t.Errorf("%s selects %v, the pods have %v (%v)", name, selector, pods, err)
		}
	}
	if minimum := b.budget.Spec.MinAvailable.IntValue(); minimum < 1 || int32(minimum) >= *b.deployment.Spec.Replicas {
		t.Errorf("the budget keeps %d of %d instances: a drain would never end, or take the last", minimum, *b.deployment.Spec.Replicas)
	}
}

func TestPod(t *testing.T) {
	b := build(t)
	pod := b.deployment.Spec.Template.Spec
	container := pod.Containers[0]
	if !*pod.SecurityContext.RunAsNonRoot || *pod.SecurityContext.RunAsUser != 65532 || pod.SecurityContext.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
		t.Errorf("the pod may run as root or without a system call filter: %+v", pod.SecurityContext)
	}
	if c := container.SecurityContext; !*c.ReadOnlyRootFilesystem || *c.AllowPrivilegeEscalation || !slices.Equal(c.Capabilities.Drop, []corev1.Capability{"ALL"}) {
		t.Errorf("the container has more rights than it needs: %+v", c)
	}
	if *pod.AutomountServiceAccountToken || *pod.EnableServiceLinks {
		t.Error("the pod gets a token of the cluster, or variables that look like settings")
	}
	drain, err := time.ParseDuration(b.settings.Data["FRONTDESK_DRAIN_DELAY"])
	if grace := time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second; err != nil || grace <= drain+shutdown {
		t.Errorf("Kubernetes kills after %v; the service drains for %v and stops within %v (%v)", grace, drain, shutdown, err)
	}
	if container.Resources.Limits.Memory().IsZero() {
		t.Error("the memory of an instance has no bound")
	}
	if update := b.deployment.Spec.Strategy.RollingUpdate; update.MaxUnavailable.IntValue() != 0 || update.MaxSurge.IntValue() < 1 {
		t.Errorf("an update takes instances away before others are ready: %+v", update)
	}
}

func TestProbes(t *testing.T) {
	b := build(t)
	container := b.deployment.Spec.Template.Spec.Containers[0]
	ports := map[string]int32{}
	for _, port := range container.Ports {
		ports[port.Name] = port.ContainerPort
	}
	for name, probe := range map[string]struct {
		*corev1.Probe
		path string
	}{
		"startup": {container.StartupProbe, "/healthz"}, "readiness": {container.ReadinessProbe, "/readyz"}, "liveness": {container.LivenessProbe, "/healthz"},
	} {
		if probe.HTTPGet == nil || probe.HTTPGet.Path != probe.path || probe.HTTPGet.Port.StrVal != "admin" {
			t.Errorf("the %s probe asks %+v, want %s on the port admin", name, probe.HTTPGet, probe.path)
		}
	}
	if addr := b.settings.Data["FRONTDESK_ADMIN_ADDR"]; addr != ":"+strconv.Itoa(int(ports["admin"])) {
		t.Errorf("the probes ask port %d, the service listens on %s", ports["admin"], addr)
	}
	if target := b.service.Spec.Ports[0].TargetPort.StrVal; ports[target] != 8080 {
		t.Errorf("the Service leads to port %q, which is %d", target, ports[target])
	}
	drain, _ := time.ParseDuration(b.settings.Data["FRONTDESK_DRAIN_DELAY"]) // checked by TestPod
	if readiness := container.ReadinessProbe; time.Duration(readiness.PeriodSeconds*readiness.FailureThreshold)*time.Second >= drain {
		t.Errorf("an instance that stops is noticed after %d s, it accepts for %v", readiness.PeriodSeconds, drain)
	}
}

func TestConfiguration(t *testing.T) {
	b := build(t)
	pod := b.deployment.Spec.Template.Spec
	container := pod.Containers[0]
	if len(container.EnvFrom) != 1 || container.EnvFrom[0].ConfigMapRef.Name != b.settings.Name {
		t.Errorf("the container reads %+v, the settings are in %s", container.EnvFrom, b.settings.Name)
	}
	mounts := map[string]string{}
	for _, mount := range container.VolumeMounts {
		if !slices.ContainsFunc(pod.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name }) {
			t.Errorf("%s is mounted from the volume %s, which does not exist", mount.MountPath, mount.Name)
		}
		mounts[mount.Name] = mount.MountPath
	}
	for _, variable := range container.Env {
		if !strings.HasPrefix(variable.Value, mounts["secrets"]+"/") || !strings.HasSuffix(variable.Name, "_FILE") {
			t.Errorf("%s=%s is not a file of the secret", variable.Name, variable.Value)
		}
		if plain := strings.TrimSuffix(variable.Name, "_FILE"); b.settings.Data[plain] != "" {
			t.Errorf("%s is given twice", plain)
		}
	}
	for _, folder := range []string{"data", "tmp"} {
		if mounts[folder] != "/"+folder {
			t.Errorf("/%s is not writable: it is mounted at %q", folder, mounts[folder])
		}
	}
	if got := fmt.Sprint(container.Args); got != "[serve]" {
		t.Errorf("the container runs %s", got)
	}
}
